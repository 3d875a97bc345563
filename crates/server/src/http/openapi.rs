//! OpenAPI 3.1, generated from the route table and the answer types.

use std::sync::OnceLock;

use engine::catalog::Wallet;
use serde_json::{Map, Value as Json, json};

use super::Call;
use super::code::Code;
use super::compressed::gzip;
use super::reply::{Answer, Reply};
use super::routes::{Access, Entry, Kind, Param, Schemas, Table, Verb};
use super::streamed_body::Fixed;
use super::units::wallet_word;
use crate::i18n::Lang;

/// Faults that any call may answer before it is looked at, or when the node fails (`docs/api.md` 1.3).
const TRANSPORT: [Code; 10] = [
    Code::UnreadableBody,
    Code::UnknownPath,
    Code::WrongMethod,
    Code::TooLarge,
    Code::MediaType,
    Code::TooManyCalls,
    Code::LoginWait,
    Code::Internal,
    Code::NotReady,
    Code::OutcomeUnknown,
];

/// `GET openapi.json`. It is the same for everybody, large, and dear to make: any guest may ask for it.
pub async fn serve(call: Call) -> Answer {
    static TEXT: OnceLock<Fixed> = OnceLock::new();
    let text = TEXT.get_or_init(|| {
        let plain = document(call.app.routes).to_string().into_bytes();
        let gzip = gzip(&plain).unwrap_or_default();
        Fixed { plain, gzip }
    });
    Ok(Reply::fixed("application/json; charset=utf-8", text))
}

/// The whole description of these calls.
pub fn document(table: &Table) -> Json {
    let mut schemas = Schemas::new();
    let mut urls: Vec<&String> = table.keys().collect();
    urls.sort();
    let mut paths = Map::new();
    for url in urls {
        let mut methods = Map::new();
        for entry in &table[url] {
            let verb = match entry.route.verb {
                Verb::Get => "get",
                Verb::Post => "post",
                Verb::Put => "put",
            };
            methods.insert(verb.to_owned(), operation(entry, &mut schemas));
        }
        paths.insert(url.clone(), Json::Object(methods));
    }
    schemas.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut schemas: Map<String, Json> = schemas.into_iter().map(|(name, schema)| (name, json!(schema))).collect();
    schemas.values_mut().for_each(require);
    json!({
        "openapi": "3.1.0",
        "servers": [{ "url": "/" }],
        "info": { "title": "Meridian", "version": env!("CARGO_PKG_VERSION"), "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" } },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {
                "Fault": answer("A fault of the transport; its status is not 200", &refused(&TRANSPORT)),
                "Head": { "description": "The head of the request is not taken: the page of another site, a target over 4 KiB, headers over 16 KiB. No body" },
            },
            "securitySchemes": { "token": { "type": "apiKey", "in": "header", "name": "authorization" } },
        },
    })
}

/// A field that may be null is always there; one that may be missing is never null.
fn require(schema: &mut Json) {
    if let Some(parts) = schema.get_mut("allOf").and_then(Json::as_array_mut) {
        parts.iter_mut().for_each(require);
    }
    let Some(properties) = schema.get("properties").and_then(Json::as_object) else { return };
    let listed = |name: &String| schema["required"].as_array().is_some_and(|names| names.iter().any(|listed| listed == name));
    let required: Vec<&String> = properties
        .iter()
        .filter(|(name, field)| listed(name) || (is_nullable(field) && field[MAY_MISS].is_null()))
        .map(|(name, _)| name)
        .collect();
    schema["required"] = json!(required);
}

/// Marks a field that may be null and may also be missing; else what may be null is always sent.
const MAY_MISS: &str = "x-may-be-missing";

fn is_nullable(field: &Json) -> bool {
    let has_null = |list: &Json| list.as_array().is_some_and(|list| list.iter().any(|one| one == "null" || one["type"] == "null"));
    has_null(&field["type"]) || has_null(&field["oneOf"])
}

fn operation(entry: &Entry, schemas: &mut Schemas) -> Json {
    let route = entry.route;
    let properties: Map<String, Json> = entry.params.iter().map(|param| (param.name().to_owned(), schema(&param.kind))).collect();
    let required: Vec<&str> = entry.params.iter().filter(|param| param.required).map(Param::name).collect();
    let mut operation = Map::new();
    operation.insert("operationId".to_owned(), operation_id(entry).into());
    operation.insert("summary".to_owned(), summary(entry).into());
    operation.insert("tags".to_owned(), json!([tag(route.path)]));
    let mut parameters = Vec::new();
    if route.verb == Verb::Get {
        parameters.extend(entry.params.iter().map(|param| {
            let in_path = route.path.contains(&format!("{{{}}}", param.name()));
            let (place, required) = if in_path { ("path", true) } else { ("query", param.required) };
            json!({"name": param.name(), "in": place, "required": required, "schema": schema(&param.kind)})
        }));
    } else if !entry.params.is_empty() {
        let body = json!({"schema": {"type": "object", "properties": properties, "required": required}});
        // In a form a list or an object is JSON.
        let mut form = body.clone();
        let nested = entry.params.iter().filter(|param| matches!(param.kind, Kind::Texts | Kind::Object));
        let encoding: Map<String, Json> =
            nested.map(|param| (param.name().to_owned(), json!({"contentType": "application/json"}))).collect();
        if !encoding.is_empty() {
            form["encoding"] = encoding.into();
        }
        let content = if entry.takes_file() {
            json!({"multipart/form-data": form})
        } else {
            json!({"application/x-www-form-urlencoded": form, "application/json": body})
        };
        operation.insert("requestBody".to_owned(), json!({"required": !required.is_empty(), "content": content}));
    }
    // A guest's call needs no session, but with one the answer includes the caller's own data.
    let security = if route.access == Access::Guest { json!([{}, {"token": []}]) } else { json!([{"token": []}]) };
    operation.insert("security".to_owned(), security);
    if route.effect.is_write() {
        let schema = json!({"type": "string", "maxLength": 64});
        parameters.push(json!({"name": "idempotency-key", "in": "header", "required": false, "schema": schema}));
    }
    if !parameters.is_empty() {
        operation.insert("parameters".to_owned(), parameters.into());
    }
    let done = match route.answers.payload {
        None => json!({"description": "Not an envelope"}),
        Some(payload) => {
            let data = route.answers.data.map_or(json!({"const": ""}), |data| json!(data(schemas)));
            let done = envelope(&json!({"const": "ok"}), 1, &json!(payload(schemas)), &data);
            let refusals = route.refusals();
            let choices = if refusals.is_empty() { vec![done] } else { vec![done, refused(&refusals)] };
            answer("Done, or refused", &json!({ "anyOf": choices }))
        }
    };
    let head = json!({"$ref": "#/components/responses/Head"});
    let responses = json!({"200": done, "403": head, "414": head, "431": head, "default": {"$ref": "#/components/responses/Fault"}});
    operation.insert("responses".to_owned(), responses);
    Json::Object(operation)
}

/// What a call does, in a few words: `verb path words` by line.
const SUMMARIES: &str = include_str!("summaries.txt");

/// The words for a call; empty if it has none.
fn summary(entry: &Entry) -> &'static str {
    let name = format!("{:?} {} ", entry.route.verb, entry.route.path).to_lowercase();
    let found = SUMMARIES.lines().find(|line| line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(&name)));
    found.and_then(|line| line.get(name.len()..)).unwrap_or_default()
}

/// A name that programs can have: `postWalletOut`.
fn operation_id(entry: &Entry) -> String {
    let words = entry.route.path.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut id = format!("{:?}", entry.route.verb).to_lowercase();
    for word in words {
        let (first, rest) = word.split_at(1);
        id += &first.to_ascii_uppercase();
        id += rest;
    }
    id
}

/// The group of a call: the first word of its path.
fn tag(path: &str) -> &str {
    path.split('/').find(|word| !word.is_empty()).unwrap_or_default()
}

fn answer(about: &str, schema: &Json) -> Json {
    json!({"description": about, "content": {"application/json": {"schema": schema}}})
}

fn envelope(kind: &Json, code: u8, message: &Json, data: &Json) -> Json {
    json!({"type": "object", "required": ["type", "code", "message", "data"],
        "properties": {"type": kind, "code": {"const": code}, "message": message, "data": data}})
}

/// The envelope of a refusal with one of these codes.
fn refused(codes: &[Code]) -> Json {
    let names: Vec<&str> = codes.iter().map(|code| code.name()).collect();
    let data = json!({"type": "object", "required": ["error"], "properties": {"error": {"type": "string", "enum": names}}});
    envelope(&json!({"type": "string", "enum": ["error", "999", "998"]}), 0, &json!({"type": "string"}), &data)
}

fn schema(kind: &Kind) -> Json {
    let words = |words: &[&str]| json!({"type": "string", "enum": words});
    match kind {
        Kind::Text => json!({"type": "string"}),
        Kind::Integer => json!({"type": "integer"}),
        Kind::Flag => json!({"type": "integer", "enum": [0, 1]}),
        Kind::Decimal => json!({"type": "string", "format": "decimal"}),
        Kind::OneOf(list) => {
            let numbers: Result<Vec<i64>, _> = list.iter().map(|word| word.parse()).collect();
            numbers.map_or_else(|_| words(list), |numbers| json!({"type": "integer", "enum": numbers}))
        }
        Kind::Language => words(&Lang::ALL.map(Lang::code)),
        Kind::Wallet => words(&Wallet::ALL.map(wallet_word)),
        Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        Kind::Object => json!({"type": "object"}),
        Kind::File => json!({"type": "string", "format": "binary"}),
        Kind::OrNone(kind) => json!({"anyOf": [schema(kind), words(&["none"])]}),
    }
}
