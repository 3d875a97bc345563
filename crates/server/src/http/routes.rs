//! The form of the route table: what a row declares about its call. Used for routing, the 405 answers, parameters, OpenAPI and tests.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;

use engine::backoffice::acts::{AuditAction, AuditObject};
use engine::operators::roles::Roles;
use utoipa::ToSchema;
use utoipa::openapi::schema::Array;
use utoipa::openapi::{Ref, RefOr, Schema};

use super::Call;
use super::code::Code;
use super::form::Params;
pub use super::limits::RateClass;
use super::metrics::Meter;
use super::page::{PageB, PageC, Paginator};
pub use super::params::{Kind, Param};
use super::reply::Answer;

/// Method of a call. A `Post` that only looks is also answered by GET.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// GET
    Get,
    /// POST
    Post,
    /// PUT
    Put,
}

/// Who may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody; a bad token counts as none.
    Guest,
    /// A session is needed.
    User,
    /// A session of an operator with one of these roles.
    Operator(Roles),
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Only reads, rows of the history among others.
    Read,
    /// Only reads what is there at once: the published state, people and content. It waits for no rows of the history.
    ReadNow,
    /// Only reads what is there at once, and with a key goes through the engine: an older client's way to write.
    ReadOrCommand,
    /// Writes people or content, and its answer with them, for a repetition: see [`Call::commit`].
    Write,
    /// Writes, and its answer holds a token: stored for a repetition in memory only.
    Sensitive,
    /// Goes through the engine, which keeps the answer; only refusals made before it are stored here.
    Command,
}

impl Effect {
    /// True if it changes something.
    pub fn is_write(self) -> bool {
        !matches!(self, Effect::Read | Effect::ReadNow | Effect::ReadOrCommand)
    }

    /// True if it may carry a key.
    pub fn takes_key(self) -> bool {
        self.is_write() || self == Effect::ReadOrCommand
    }
}

/// One call.
#[derive(Debug)]
pub struct Route {
    /// Method.
    pub verb: Verb,
    /// Path; without leading slash it is below `/api/`.
    pub path: &'static str,
    /// Who may call.
    pub access: Access,
    /// Rate class.
    pub rate: RateClass,
    /// What it does.
    pub effect: Effect,
    /// Refusals in the order of their checks, without those that [`Route::refusals`] adds.
    pub refusals: &'static [Code],
    /// Form of the answer.
    pub answers: Shape,
    /// For operators: the word of the audit log, and what it is about.
    pub audit: Option<(&'static str, AuditAction, AuditObject)>,
    /// The code, with the type of the request.
    pub handler: Handler,
}

/// Reads the request of a call and answers it.
type Run = fn(Call, Params) -> Pin<Box<dyn Future<Output = Answer> + Send>>;

/// The code of a call, and the parameters that its request type declares.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    params: &'static [&'static [Param]],
    run: Run,
}

impl Handler {
    pub(crate) const fn new(params: &'static [&'static [Param]], run: Run) -> Handler {
        Handler { params, run }
    }

    /// Reads the request and answers it.
    pub fn call(self, call: Call, params: Params) -> Pin<Box<dyn Future<Output = Answer> + Send>> {
        (self.run)(call, params)
    }
}

/// The handler of a row, with the type of its request: `handler!(spot::place(spot::PlaceOrder))`.
macro_rules! handler {
    ($($part:ident)::+()) => {
        $crate::http::routes::Handler::new(&[], |call, _| Box::pin($($part)::+(call)))
    };
    ($($part:ident)::+($request:ty)) => {
        $crate::http::routes::Handler::new(<$request as $crate::http::request::Request>::PARAMS, |call, params| {
            Box::pin(async move {
                let request = <$request as $crate::http::request::Request>::read(&params)?;
                $($part)::+(call, request).await
            })
        })
    };
}
pub(crate) use handler;

impl Route {
    /// The refusals that are the call's own, in the order of their checks (`docs/api.md` 1.4).
    pub fn refusals(&self) -> Vec<Code> {
        let session = (self.access != Access::Guest).then_some(Code::LoggedOut);
        // An unnamed bad field is checked first, unless the call places it elsewhere.
        let field = (!self.handler.params.is_empty() && !self.refusals.contains(&Code::BadField)).then_some(Code::BadField);
        let repeated = self.effect.takes_key().then_some(Code::DuplicateRequest);
        let gone = (self.effect == Effect::Command).then_some(Code::AnswerGone);
        session.into_iter().chain(field).chain(self.refusals.iter().copied()).chain(repeated).chain(gone).collect()
    }

    /// The full path.
    pub fn url(&self) -> String {
        if self.path.starts_with('/') { self.path.to_owned() } else { format!("/api/{}", self.path) }
    }

    /// Methods that are answered: a read-only POST is also a GET.
    pub fn methods(&self) -> &'static [&'static str] {
        match (self.verb, self.effect) {
            (Verb::Get, _) => &["GET"],
            (Verb::Put, _) => &["PUT"],
            (Verb::Post, effect) if !effect.is_write() => &["POST", "GET"],
            (Verb::Post, _) => &["POST"],
        }
    }
}

/// A call with its parameters parsed.
#[derive(Debug)]
pub struct Entry {
    /// The row.
    pub route: &'static Route,
    /// Its parameters.
    pub params: &'static [Param],
    /// Its figures.
    pub meter: Meter,
}

impl Entry {
    /// True if it takes a file, so its body comes in parts.
    pub fn takes_file(&self) -> bool {
        self.params.iter().any(|param| param.kind == Kind::File)
    }
}

/// Calls by full path.
pub type Table = HashMap<String, Vec<Entry>>;

/// The table of these calls. It stays for as long as the process runs.
pub fn table(routes: impl IntoIterator<Item = &'static Route>) -> Table {
    let mut all = Table::new();
    for route in routes {
        let entry = Entry { route, params: route.handler.params.concat().leak(), meter: Meter::new(route.url()) };
        all.entry(route.url()).or_default().push(entry);
    }
    all
}

/// Adds the named schemas that a type needs, and answers the type itself.
pub type Part = fn(&mut Schemas) -> RefOr<Schema>;

/// Schemas by name.
pub type Schemas = Vec<(String, RefOr<Schema>)>;

/// The form of an answer, for OpenAPI.
#[derive(Debug)]
pub struct Shape {
    /// `message`; absent for answers without envelope.
    pub payload: Option<Part>,
    /// `data`, if there are extra fields.
    pub data: Option<Part>,
}

/// Payload of this type.
pub(crate) const fn of<T: ToSchema>() -> Shape {
    Shape { payload: Some(part::<T>), data: None }
}

/// Rows of this type.
pub(crate) const fn list<T: ToSchema>() -> Shape {
    Shape { payload: Some(|all| Array::new(part::<T>(all)).into()), data: None }
}

/// A page of form A.
pub(crate) const fn pages<T: ToSchema>() -> Shape {
    Shape { payload: Some(page::<Paginator<T>, T>), data: None }
}

/// A page of form B.
pub(crate) const fn pages_b<T: ToSchema>() -> Shape {
    Shape { payload: Some(page::<PageB<T>, T>), data: None }
}

/// A page of form C.
pub(crate) const fn pages_c<T: ToSchema>() -> Shape {
    Shape { payload: Some(page::<PageC<T>, T>), data: None }
}

/// A sentence, or a word.
pub(crate) const fn text() -> Shape {
    of::<String>()
}

/// Not an envelope.
pub(crate) const fn raw() -> Shape {
    Shape { payload: None, data: None }
}

impl Shape {
    /// With extra fields of this type.
    pub(crate) const fn and<D: ToSchema>(mut self) -> Shape {
        self.data = Some(part::<D>);
        self
    }

    /// The payload again as extra fields: the chart.
    pub(crate) const fn twice(mut self) -> Shape {
        self.data = self.payload;
        self
    }
}

fn part<T: ToSchema>(all: &mut Schemas) -> RefOr<Schema> {
    T::schemas(all);
    named(&T::name(), T::schema(), all)
}

fn page<P: ToSchema, T: ToSchema>(all: &mut Schemas) -> RefOr<Schema> {
    part::<T>(all);
    P::schemas(all);
    named(&format!("{}_{}", P::name(), T::name()), P::schema(), all)
}

/// A reference, where the type is more than a bare text or number.
fn named(name: &str, schema: RefOr<Schema>, all: &mut Schemas) -> RefOr<Schema> {
    let bare = matches!(&schema, RefOr::T(Schema::Object(object)) if object.properties.is_empty() && object.enum_values.is_none());
    if bare {
        return schema;
    }
    all.push((name.to_owned(), schema));
    Ref::from_schema_name(name).into()
}
