//! Request types: a call's parameters are declared once, as the fields of a type, and parsed once. The OpenAPI description is generated
//! from the same type, which its row of the route table names.

use super::code::Code;
use super::form::Params;
use super::params::{Kind, Param};
use super::reply::{OrRefuse, Refusal, bad_field};
use super::values::Value;

/// The parameters of a call.
pub trait Request: Sized {
    /// What the call takes, field by field.
    const PARAMS: &'static [&'static [Param]];

    /// Reads them.
    ///
    /// # Errors
    /// `E_FIELD` of the first one that is missing or cannot be read.
    fn read(params: &Params) -> Result<Self, Refusal>;
}

/// What a field of a request may be.
pub trait Field: Sized {
    /// Form of its value.
    const KIND: Kind;
    /// The parameters of a field that is more than one.
    const PARAMS: Option<&'static [Param]> = None;

    /// Reads the field of this name.
    ///
    /// # Errors
    /// What is refused at once.
    fn read(params: &Params, name: &'static str) -> Result<Self, Refusal>;
}

/// A value that must be sent.
impl<T: Value> Field for T {
    const KIND: Kind = T::KIND;

    fn read(params: &Params, name: &'static str) -> Result<T, Refusal> {
        Input::read(params, name)?.sent?.ok_or_else(|| bad_field(name, "required"))
    }
}

/// A value that may be sent.
impl<T: Value> Field for Option<T> {
    const KIND: Kind = T::KIND;

    fn read(params: &Params, name: &'static str) -> Result<Option<T>, Refusal> {
        Input::read(params, name)?.sent
    }
}

/// A field as it was sent: absent, unreadable or a value. The call says at which place of its order, and with which code, the first two are
/// refused.
#[derive(Clone, Debug)]
pub struct Input<T> {
    name: &'static str,
    sent: Result<Option<T>, Refusal>,
}

impl<T: Value> Field for Input<T> {
    const KIND: Kind = T::KIND;

    fn read(params: &Params, name: &'static str) -> Result<Input<T>, Refusal> {
        Ok(Input { name, sent: params.get(name).map(|text| T::parse(name, text)).transpose() })
    }
}

/// A field whose refusal has a later place.
impl<F: Field> Field for Result<F, Refusal> {
    const KIND: Kind = F::KIND;
    const PARAMS: Option<&'static [Param]> = F::PARAMS;

    fn read(params: &Params, name: &'static str) -> Result<Result<F, Refusal>, Refusal> {
        Ok(F::read(params, name))
    }
}

impl<T> Input<T> {
    /// True if anything was sent.
    pub fn is_sent(&self) -> bool {
        !matches!(self.sent, Ok(None))
    }

    /// True if what was sent cannot be read.
    pub fn is_unreadable(&self) -> bool {
        self.sent.is_err()
    }

    /// The value, if one was sent that can be read.
    pub fn readable(&self) -> Option<&T> {
        self.sent.as_ref().ok()?.as_ref()
    }

    /// `E_FIELD` if nothing was sent.
    pub fn must_be_sent(&self) -> Result<(), Refusal> {
        if self.is_sent() { Ok(()) } else { Err(bad_field(self.name, "required")) }
    }
}

impl<T: Clone> Input<T> {
    /// The value, if one was sent.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn optional(&self) -> Result<Option<T>, Refusal> {
        self.sent.clone()
    }

    /// The value.
    ///
    /// # Errors
    /// `E_FIELD` if it is missing; it cannot be read.
    pub fn required(&self) -> Result<T, Refusal> {
        self.optional()?.ok_or_else(|| bad_field(self.name, "required"))
    }

    /// The value.
    ///
    /// # Errors
    /// This code if it is missing or cannot be read.
    pub fn or(&self, code: Code) -> Result<T, Refusal> {
        self.readable().cloned().or_refuse(code)
    }
}

/// Declares the type of a call's parameters. A field is `required` or `optional` in the contract, and is named as on the wire unless names
/// follow its type. What must be sent and is missing is refused first, then what cannot be read, in the order of the fields.
///
/// Where the contract checks something else before, the type is `checked by handler`: then only the type of each field says what is refused at the
/// start, and the handler calls `complete`, if the contract has it at all, at its place.
macro_rules! request {
    ($(#[$about:meta])* pub struct $name:ident {
        $($need:ident $field:ident: $type:ty $(= $wire:literal $(| $alias:literal)*)?),* $(,)?
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $name {
            $(#[doc = concat!("`", $crate::http::request::request!(@name $field $($wire)?), "`")] pub $field: $type,)*
        }

        impl $crate::http::request::Request for $name {
            $crate::http::request::request!(@params $($need $field: $type $(= $wire $(| $alias)*)?),*);

            fn read(params: &$crate::http::form::Params) -> Result<Self, $crate::http::reply::Refusal> {
                params.complete()?;
                Ok($name { $($field: $crate::http::request::request!(@read params $field $($wire)?)),* })
            }
        }
    };
    ($(#[$about:meta])* pub struct $name:ident checked by handler {
        $($need:ident $field:ident: $type:ty $(= $wire:literal $(| $alias:literal)*)?),* $(,)?
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $name {
            $(#[doc = concat!("`", $crate::http::request::request!(@name $field $($wire)?), "`")] pub $field: $type,)*
            completeness: Result<(), $crate::http::reply::Refusal>,
        }

        impl $name {
            /// `E_FIELD` of the first field that must be sent and is missing, or that no table can hold.
            pub fn complete(&self) -> Result<(), $crate::http::reply::Refusal> {
                self.completeness.clone()
            }
        }

        impl $crate::http::request::Request for $name {
            $crate::http::request::request!(@params $($need $field: $type $(= $wire $(| $alias)*)?),*);

            fn read(params: &$crate::http::form::Params) -> Result<Self, $crate::http::reply::Refusal> {
                Ok($name {
                    $($field: $crate::http::request::request!(@read params $field $($wire)?),)*
                    completeness: params.complete(),
                })
            }
        }
    };
    (@params $($need:ident $field:ident: $type:ty $(= $wire:literal $(| $alias:literal)*)?),*) => {
        const PARAMS: &'static [&'static [$crate::http::params::Param]] = &[$(
            match <$type as $crate::http::request::Field>::PARAMS {
                Some(several) => several,
                None => &[$crate::http::params::Param {
                    names: &[$crate::http::request::request!(@name $field $($wire)?) $($(, $alias)*)?],
                    required: $crate::http::request::request!(@is $need),
                    kind: <$type as $crate::http::request::Field>::KIND,
                }],
            }
        ),*];
    };
    (@read $params:ident $field:ident $($wire:literal)?) => {
        $crate::http::request::Field::read($params, $crate::http::request::request!(@name $field $($wire)?))?
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $wire:literal) => { $wire };
    (@is required) => { true };
    (@is optional) => { false };
}
pub(crate) use request;

request! {
    /// Number of an object. Unknown, malformed and foreign ones are all `E_NOT_FOUND`.
    pub struct ById checked by handler {
        required id: Input<u64>,
    }
}

/// Declares an enum of the words that a field may have; `as text` where the contract does not list them.
macro_rules! words {
    ($(#[$about:meta])* pub enum $name:ident { $($list:tt)* }) => {
        $crate::http::request::words!(
            @of $crate::http::params::Kind::OneOf(&$crate::http::request::words!(@list $($list)*)),
            $(#[$about])* $name { $($list)* }
        );
    };
    ($(#[$about:meta])* pub enum $name:ident as text { $($list:tt)* }) => {
        $crate::http::request::words!(@of $crate::http::params::Kind::Text, $(#[$about])* $name { $($list)* });
    };
    (@list $($variant:ident = $word:literal),* $(,)?) => { [$($word),*] };
    (@of $kind:expr, $(#[$about:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`")] $variant,)*
        }

        impl $crate::http::values::Value for $name {
            const KIND: $crate::http::params::Kind = $kind;

            fn parse(name: &'static str, text: &str) -> Result<$name, $crate::http::reply::Refusal> {
                match text {
                    $($word => Ok($name::$variant),)*
                    _ => Err($crate::http::reply::bad_field(name, "enum")),
                }
            }
        }

        impl $name {
            /// The word on the wire.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }
    };
}
pub(crate) use words;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::values::Line;
    use store::Page;

    request! {
        /// Checked at once.
        pub struct AtOnce {
            optional page: Page,
            required number: u64 = "number" | "no",
            required text: Line<1, 3>,
            optional flag: Input<bool>,
        }
    }

    request! {
        /// Checked by the handler.
        pub struct Later checked by handler {
            required number: Input<u64>,
            required text: Input<String>,
        }
    }

    fn read<R: Request>(fields: &[(&str, &str)]) -> Result<R, Refusal> {
        let fields = fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        R::read(&Params::of_parts(R::PARAMS.concat().leak(), fields)?)
    }

    #[test]
    fn parameters_are_the_fields_of_the_type() {
        let params = AtOnce::PARAMS.concat();
        let names: Vec<&[&str]> = params.iter().map(|param| param.names).collect();
        assert_eq!(names, [&["page"][..], &["limit"], &["number", "no"], &["text"], &["flag"]]);
        assert_eq!(params.iter().filter(|param| param.required).map(Param::name).collect::<Vec<_>>(), ["number", "text"]);
        assert_eq!((params[2].kind, params[4].kind), (Kind::Integer, Kind::Flag));
    }

    #[test]
    fn what_is_missing_is_refused_before_what_cannot_be_read() {
        let refused = |fields: &[(&str, &str)]| read::<AtOnce>(fields).err();
        assert_eq!(refused(&[("page", "x")]), Some(bad_field("number", "required")));
        assert_eq!(refused(&[("page", "x"), ("no", "x"), ("text", "long")]), Some(bad_field("page", "format")));
        assert_eq!(refused(&[("no", "x"), ("text", "long")]), Some(bad_field("number", "format")));
        assert_eq!(refused(&[("number", ""), ("no", "7"), ("text", "long")]), Some(bad_field("text", "length")));
        let good: AtOnce = read(&[("no", "7"), ("text", "ab"), ("flag", "x")]).unwrap();
        assert_eq!((good.number, good.text.0.as_str(), good.page.limit), (7, "ab", 10));
        assert!(good.flag.is_sent() && good.flag.readable().is_none());
        assert_eq!(good.flag.required(), Err(bad_field("flag", "enum")));
    }

    #[test]
    fn checked_by_its_handler_nothing_is_refused_that_it_does_not_ask_for() {
        let later: Later = read(&[("number", "x")]).unwrap();
        assert_eq!(later.number.or(Code::NotFound), Err(super::super::reply::refuse(Code::NotFound)));
        assert_eq!(later.number.optional(), Err(bad_field("number", "format")));
        assert_eq!(later.text.must_be_sent(), Err(bad_field("text", "required")));
        assert_eq!(later.complete(), Err(bad_field("text", "required")));
    }
}
