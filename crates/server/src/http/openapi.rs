//! OpenAPI 3.1, made from the route table and the answer types.

use serde_json::{Map, Value as Json, json};
use utoipa::openapi::{RefOr, Schema};

use super::Call;
use super::reply::{Answer, Reply};
use super::routes::{Access, BY_URL, Effect, Entry, Param, Verb};

/// `GET openapi.json`
pub async fn serve(_call: Call) -> Answer {
    Ok(Reply::raw("application/json; charset=utf-8", document().to_string().into_bytes()))
}

/// The whole description.
pub fn document() -> Json {
    let mut schemas: Vec<(String, RefOr<Schema>)> = Vec::new();
    let mut urls: Vec<&String> = BY_URL.keys().collect();
    urls.sort();
    let mut paths = Map::new();
    for url in urls {
        let mut methods = Map::new();
        for entry in &BY_URL[url] {
            let verb = match entry.route.verb {
                Verb::Get => "get",
                Verb::Post => "post",
                Verb::Put => "put",
            };
            methods.insert(verb.to_owned(), operation(entry, &mut schemas));
        }
        paths.insert(url.clone(), Json::Object(methods));
    }
    let schemas: Map<String, Json> = schemas.into_iter().map(|(name, schema)| (name, json!(schema))).collect();
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Meridian", "version": env!("CARGO_PKG_VERSION"), "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" } },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "token": { "type": "apiKey", "in": "header", "name": "authorization" } },
        },
    })
}

fn operation(entry: &Entry, schemas: &mut Vec<(String, RefOr<Schema>)>) -> Json {
    let route = entry.route;
    let properties: Map<String, Json> = entry.params.iter().map(|param| (param.name().to_owned(), schema(param))).collect();
    let required: Vec<&str> = entry.params.iter().filter(|param| param.required()).map(Param::name).collect();
    let mut operation = Map::new();
    operation.insert("operationId".to_owned(), format!("{:?} {}", route.verb, route.path).to_lowercase().into());
    if route.verb == Verb::Get {
        let query = entry.params.iter();
        let query = query.map(|param| json!({"name": param.name(), "in": "query", "required": param.required(), "schema": schema(param)}));
        operation.insert("parameters".to_owned(), query.collect());
    } else if !entry.params.is_empty() {
        let body = json!({"schema": {"type": "object", "properties": properties, "required": required}});
        let content = json!({"application/x-www-form-urlencoded": body, "application/json": body});
        operation.insert("requestBody".to_owned(), json!({"required": !required.is_empty(), "content": content}));
    }
    if route.access == Access::User {
        operation.insert("security".to_owned(), json!([{"token": []}]));
    }
    if route.effect != Effect::Looks {
        let header = json!({"name": "idempotency-key", "in": "header", "required": false, "schema": {"type": "string", "maxLength": 64}});
        operation.insert("parameters".to_owned(), json!([header]));
    }
    let done = match route.shape.payload {
        None => json!({"description": "Not an envelope"}),
        Some(payload) => {
            let data = route.shape.data.map_or(json!({}), |data| json!(data(schemas)));
            let envelope = json!({"type": "object", "required": ["type", "code", "message", "data"], "properties": {
                "type": {"type": "string"}, "code": {"type": "integer"}, "message": payload(schemas), "data": data}});
            let refused = json!({"type": "object", "required": ["type", "code", "message", "data"], "properties": {
                "type": {"type": "string"}, "code": {"const": 0}, "message": {"type": "string"},
                "data": {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}}});
            json!({"description": "Done, or refused", "content": {"application/json": {"schema": {"anyOf": [envelope, refused]}}}})
        }
    };
    operation.insert("responses".to_owned(), json!({ "200": done }));
    Json::Object(operation)
}

fn schema(param: &Param) -> Json {
    match param.kind {
        "int" | "ms" | "unix" => json!({"type": "integer"}),
        "flag" => json!({"type": "integer", "enum": [0, 1]}),
        "dec" => json!({"type": "string", "format": "decimal"}),
        kind => match kind.strip_prefix("enum(").and_then(|words| words.strip_suffix(')')) {
            Some(words) => json!({"type": "string", "enum": words.split(',').collect::<Vec<_>>()}),
            None => json!({"type": "string"}),
        },
    }
}
