//! Pictures of members: the upload, and the private address to view them.

use engine::ids::UserId;
use serde::Serialize;
use store::db::DbError;
use store::exports;
use store::files::{self, FilePurpose, Picture};
use store::secrets::{hex, random};
use utoipa::ToSchema;

use crate::exports::KIT;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::form::Params;
use crate::http::params::Kind;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Field, Input, request};
use crate::http::values::Value;
use crate::picture::{self, Flaw};

/// Data returned with the address of the picture.
#[derive(Debug, Serialize, ToSchema)]
pub struct Uploaded {
    key: String,
    width: u32,
    height: u32,
    bytes: u64,
}

/// The file itself is in [`Call::upload`].
#[derive(Clone, Copy, Debug)]
pub struct InParts;

impl Field for InParts {
    const KIND: Kind = Kind::File;

    fn read(_params: &Params, _name: &'static str) -> Result<InParts, Refusal> {
        Ok(InParts)
    }
}

impl Value for FilePurpose {
    const KIND: Kind = Kind::OneOf(&FilePurpose::WORDS);

    fn parse(name: &'static str, text: &str) -> Result<FilePurpose, Refusal> {
        FilePurpose::parse(text).ok_or_else(|| bad_field(name, "enum"))
    }
}

request! {
    /// What `upload` takes.
    pub struct Upload {
        required file: InParts,
        optional purpose: Option<FilePurpose>,
    }
}

/// `POST upload`
pub async fn upload(call: Call, request: Upload) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let purpose = request.purpose.unwrap_or(FilePurpose::Deposit);
    let sent = call.upload.as_ref().ok_or_else(|| bad_field("file", "required"))?;
    if sent.length > picture::MAX_BYTES {
        return Err(refuse(Code::BadFile).with("rule", "size"));
    }
    if !files::has_room(&app.db, me, app.now_ms(), sent.length).await? {
        return Err(refuse(Code::UploadQuota));
    }
    let file = sent.open().map_err(|_| refuse(Code::Internal))?;
    let picture = match app.files.picture(file).await.map_err(Refusal::from).and_then(|picture| large_enough(picture, purpose)) {
        Ok(picture) => picture,
        Err(refusal) => {
            // The picture was decoded all the same, and only the day's count bounds that work.
            if refusal.code == Code::BadFile {
                app.db.run(vec![files::count(me, sent.length, app.now_ms())]).await.map_err(full)?;
            }
            return Err(refusal);
        }
    };
    let key = hex(&random::<16>().map_err(|_| refuse(Code::Internal))?);
    let bytes = picture.jpeg.len() as u64;
    let now = app.now_ms();
    let row = files::reserve(&app.vault, me, purpose, &key, sent.length, &picture, now);
    app.db.run(row).await.map_err(full)?;
    if let Err(error) = app.files.put(&app.store, me, &key, picture.jpeg).await {
        app.db.run(files::give_back(me, &key, sent.length, now)).await?;
        return Err(error.into());
    }
    let reply = Reply::ok(files::url(&key)).data(Uploaded { key: key.clone(), width: picture.width, height: picture.height, bytes });
    Ok(call.commit(vec![files::ready(&key)], reply).await?)
}

fn large_enough(picture: Picture, purpose: FilePurpose) -> Result<Picture, Refusal> {
    if purpose == FilePurpose::Kyc && picture.width.min(picture.height) < picture::PAPERS_MIN_SIDE {
        let small = Refusal { sentence: Some("E_FILE.small"), ..refuse(Code::BadFile) };
        return Err(small.with("rule", Flaw::Dimensions.word()).with("min", picture::PAPERS_MIN_SIDE));
    }
    Ok(picture)
}

fn full(error: DbError) -> Refusal {
    match error {
        DbError::Missed(0) => refuse(Code::UploadQuota),
        other => other.into(),
    }
}

request! {
    /// What `/files/{key}` takes.
    pub struct Show checked by handler {
        required key: Input<String>,
    }
}

/// `GET /files/{key}`
pub async fn show(call: Call, request: Show) -> Answer {
    let (app, me, key) = (&call.app, call.user()?, request.key.or(Code::NotFound)?);
    // A text that no table can store is not the name of a file.
    request.complete().map_err(|_| refuse(Code::NotFound))?;
    if key.starts_with(KIT) {
        return exported(&call, me, &key).await;
    }
    let owner = files::owner(&app.db, &key).await?.filter(|owner| *owner == me).or_refuse(Code::NotFound)?;
    let jpeg = app.files.get(&app.store, owner, &key).await?.or_refuse(Code::NotFound)?;
    Ok(Reply::raw("image/jpeg", jpeg))
}

/// A finished copy of the caller's own data.
async fn exported(call: &Call, me: UserId, key: &str) -> Answer {
    let app = &call.app;
    exports::ready(&app.db, me, key, app.now_ms()).await?.or_refuse(Code::NotFound)?;
    let file = app.exports.file(key);
    let length = std::fs::metadata(&file).map_err(|_| refuse(Code::NotFound))?.len();
    Ok(Reply::file("application/x-ndjson", file, length))
}
