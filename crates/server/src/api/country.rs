//! Whether a product is available in the calling member's country, for every area.

use engine::Engine;
use engine::identity::KycLevel;
use engine::listing::change::TextKind;
use engine::product::Product;

use crate::countries::policy::Rule;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Refusal, disabled, refuse};

/// `E_COUNTRY`, or `E_KYC_ADVANCED` if that level would open it. `is_disabled` says whether the engine would refuse before this check; a
/// repeated write gets its first answer from the engine, whatever table was approved since.
pub async fn check(call: &Call, product: Product, is_disabled: impl Fn(&Engine) -> bool) -> Result<(), Refusal> {
    let (app, me) = (&call.app, call.user()?);
    if app.is_sandbox() && app.catalog.numbers(TextKind::Country).next().is_none() {
        return Ok(());
    }
    let refused = match app.policy.rule(&app.policy.of_member(me).await?, product).await? {
        Rule::On => return Ok(()),
        Rule::Off => refuse(Code::CountryForbids).with("product", product.name()),
        Rule::Advanced => refuse(Code::AdvancedIdentityMissing).with("product", product.name()),
    };
    let engine = app.sequencer.engine();
    match () {
        () if refused.code == Code::AdvancedIdentityMissing && engine.kyc_level(me) == Some(KycLevel::Advanced) => Ok(()),
        () if call.request.is_some_and(|request| engine.was_answered(request)) => Ok(()),
        () if is_disabled(&engine) => Err(disabled(product)),
        () => Err(refused),
    }
}
