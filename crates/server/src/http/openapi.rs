//! OpenAPI 3.1, made from the route table and the answer types.

use std::sync::OnceLock;

use engine::catalog::Wallet;
use serde_json::{Map, Value as Json, json};

use super::Call;
use super::code::Code;
use super::figures::wallet_word;
use super::reply::{Answer, Reply};
use super::routes::{Access, Entry, Kind, Param, Schemas, Table, Verb};
use crate::text::Lang;

/// Faults that any call may answer before it is looked at, or when the node fails (`api.md` 1.3).
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

/// `GET openapi.json`. It is the same for everybody, and dear to make: any guest may ask for it.
pub async fn serve(call: Call) -> Answer {
    static TEXT: OnceLock<Vec<u8>> = OnceLock::new();
    let text = TEXT.get_or_init(|| document(call.app.routes).to_string().into_bytes());
    Ok(Reply::raw("application/json; charset=utf-8", text.clone()))
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
        "info": { "title": "Meridian", "version": env!("CARGO_PKG_VERSION"), "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" } },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": { "Fault": answer("A fault of the transport; its status is not 200", &refused(&TRANSPORT)) },
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
    let required: Vec<&str> = entry.params.iter().filter(|param| param.required()).map(Param::name).collect();
    let mut operation = Map::new();
    operation.insert("operationId".to_owned(), format!("{:?} {}", route.verb, route.path).to_lowercase().into());
    if route.verb == Verb::Get {
        let query = entry.params.iter();
        let query =
            query.map(|param| json!({"name": param.name(), "in": "query", "required": param.required(), "schema": schema(&param.kind)}));
        operation.insert("parameters".to_owned(), query.collect());
    } else if !entry.params.is_empty() {
        let body = json!({"schema": {"type": "object", "properties": properties, "required": required}});
        let content = if entry.takes_file() {
            json!({"multipart/form-data": body})
        } else {
            json!({"application/x-www-form-urlencoded": body, "application/json": body})
        };
        operation.insert("requestBody".to_owned(), json!({"required": !required.is_empty(), "content": content}));
    }
    if route.access != Access::Guest {
        operation.insert("security".to_owned(), json!([{"token": []}]));
    }
    if route.effect.is_write() {
        let header = json!({"name": "idempotency-key", "in": "header", "required": false, "schema": {"type": "string", "maxLength": 64}});
        operation.insert("parameters".to_owned(), json!([header]));
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
    operation.insert("responses".to_owned(), json!({ "200": done, "default": {"$ref": "#/components/responses/Fault"} }));
    Json::Object(operation)
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
