//! What a member shares to invite others: link, texts and picture (`docs/api.md` 4.13).

use serde::Serialize;
use store::people::{self, Person};
use utoipa::ToSchema;

use crate::api::contact::masked;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Reply, refuse};
use crate::http::request::request;
use crate::i18n::{filled, text};
use crate::poster::{BACKGROUNDS, Poster};

/// The page where the code is filled in already.
pub(super) fn share_url(site: &str, code: &str) -> String {
    format!("{site}/h5/#/pages/user/login/register?extension_code={code}")
}

/// Invitation code, link and poster backgrounds.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Poster)]
pub struct PosterView {
    extension_code: String,
    share_url: String,
    pics: Vec<String>,
}

/// `GET user/my_poster`
pub async fn poster(call: Call) -> Answer {
    let me = people::get(&call.app, call.user()?).await?;
    let pics = (0..BACKGROUNDS).map(|index| format!("/api/user/poster_image?index={index}")).collect();
    Ok(Reply::ok(PosterView { share_url: share_url(&call.site, &me.invite_code), extension_code: me.invite_code, pics }))
}

/// Texts to share an invitation.
#[derive(Debug, Serialize, ToSchema)]
pub struct Share {
    share_title: &'static str,
    share_content: String,
    share_url: String,
    extension_code: String,
}

/// `GET user/my_share`
pub async fn share(call: Call) -> Answer {
    let me = people::get(&call.app, call.user()?).await?;
    Ok(Reply::ok(Share {
        share_title: text(call.lang, "poster.title"),
        share_content: filled(call.lang, "share.content", &[("code", me.invite_code.as_str())]),
        share_url: share_url(&call.site, &me.invite_code),
        extension_code: me.invite_code,
    }))
}

request! {
    /// What `user/poster_image` takes.
    pub struct ShowPoster {
        optional index: Option<u64>,
    }
}

/// `GET user/poster_image`
pub async fn picture(call: Call, request: ShowPoster) -> Answer {
    let index = request.index.unwrap_or(0);
    let background = usize::try_from(index).ok().filter(|index| *index < BACKGROUNDS).or_refuse(Code::NotFound)?;
    let Person { nickname, account_number, invite_code, .. } = people::get(&call.app, call.user()?).await?;
    let poster = Poster {
        lang: call.lang,
        background,
        url: share_url(&call.site, &invite_code),
        code: invite_code,
        nickname,
        masked_number: masked(&account_number),
    };
    let png = call.app.posters.draw(poster).await.ok_or_else(|| refuse(Code::NotReady))?;
    Ok(Reply::raw("image/png", png.to_vec()))
}
