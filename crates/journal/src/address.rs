//! Where a PostgreSQL database is, and how the connection is protected: `sslmode` and `sslrootcert` of its URL, as libpq reads them.

use crate::error::Error;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::str::FromStr;
use std::sync::Arc;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// A parsed `postgres://...`.
#[derive(Clone)]
pub struct Address {
    /// For the driver.
    pub config: Config,
    /// Makes the TLS of each connection that has any.
    pub tls: MakeRustlsConnect,
}

impl std::fmt::Debug for Address {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The driver's configuration omits the password.
        self.config.fmt(formatter)
    }
}

impl Address {
    /// True if another machine may be reached without TLS.
    pub fn may_be_plain(&self) -> bool {
        let is_here = |host: &Host| match host {
            Host::Tcp(name) => name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback()),
            Host::Unix(_) => true,
        };
        let elsewhere = self.config.get_hosts().iter().any(|host| !is_here(host))
            || self.config.get_hostaddrs().iter().any(|address| !address.is_loopback());
        elsewhere && self.config.get_ssl_mode() != SslMode::Require
    }
}

impl FromStr for Address {
    type Err = Error;

    /// The driver knows `disable`, `prefer` and `require`; `verify-full` and `sslrootcert` are parsed here.
    fn from_str(url: &str) -> Result<Self, Error> {
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut verified, mut roots, mut rest) = (false, None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslmode", "verify-full")) => verified = true,
                Some(("sslmode", mode)) if !matches!(mode, "disable" | "prefer" | "require") => {
                    return Err(Error::Invalid(format!("sslmode={mode}: use disable, prefer, require or verify-full")));
                }
                Some(("sslrootcert", file)) => roots = Some(file),
                _ => rest.push(pair),
            }
        }
        if roots.is_some() && !verified {
            return Err(Error::Invalid("sslrootcert needs sslmode=verify-full".into()));
        }
        let mut config: Config = format!("{base}?{}", rest.join("&")).trim_end_matches('?').parse()?;
        if verified {
            config.ssl_mode(SslMode::Require);
        }
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
        let builder = builder.map_err(|error| Error::Invalid(error.to_string()))?;
        let tls = match verified {
            true => builder.with_root_certificates(trusted(roots)?),
            false => builder.dangerous().with_custom_certificate_verifier(Arc::new(Anyone(provider))),
        };
        Ok(Self { config, tls: MakeRustlsConnect::new(tls.with_no_client_auth()) })
    }
}

/// The certificates of a PEM file, or those that the system trusts.
fn trusted(file: Option<&str>) -> Result<RootCertStore, Error> {
    let mut roots = RootCertStore::empty();
    match file {
        Some(file) => {
            let wrong = |why: String| Error::Invalid(format!("sslrootcert: {file}: {why}"));
            let found = CertificateDer::pem_file_iter(file).map_err(|error| wrong(error.to_string()))?;
            for certificate in found {
                let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
                roots.add(certificate).map_err(|error| wrong(error.to_string()))?;
            }
        }
        None => drop(roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
    }
    if roots.is_empty() { Err(Error::Invalid("sslmode=verify-full, but no certificate is trusted".into())) } else { Ok(roots) }
}

/// `prefer` and `require` encrypt the connection without authenticating the server.
#[derive(Debug)]
struct Anyone(Arc<CryptoProvider>);

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_be_plain(url: &str) -> bool {
        url.parse::<Address>().expect("read").may_be_plain()
    }

    #[test]
    fn another_machine_is_plain_unless_tls_is_required() {
        for plain in ["postgres://db.example/a", "postgres://10.0.0.1/a?sslmode=prefer", "postgres://db.example/a?sslmode=disable"] {
            assert!(may_be_plain(plain), "{plain}");
        }
        assert!(may_be_plain("postgres://localhost,db.example/a"));
        for sealed in ["postgres://db.example/a?sslmode=require", "postgres://127.0.0.1/a?sslmode=disable", "postgres://localhost/a"] {
            assert!(!may_be_plain(sealed), "{sealed}");
        }
        assert!(!may_be_plain("postgres://me@%2Frun%2Fpostgresql/a") && !may_be_plain("host=/run/postgresql user=me"));
    }

    #[test]
    fn what_cannot_be_promised_is_refused() {
        let refused = |url: &str| url.parse::<Address>().expect_err("refused").to_string();
        assert!(refused("postgres://db.example/a?sslmode=verify-ca").contains("sslmode"));
        assert!(refused("postgres://db.example/a?sslmode=require&sslrootcert=/a").contains("verify-full"));
        assert!(refused("postgres://db.example/a?sslmode=verify-full&sslrootcert=/none").contains("/none"));
    }
}
