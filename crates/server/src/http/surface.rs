//! Which paths an address serves when the console has an address of its own.

/// One of the addresses on which a server listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Everything: the console has no address of its own.
    Both,
    /// The app and its interface.
    Members,
    /// The console and the interface of operators.
    Console,
}

impl Surface {
    /// True if this path is served here. Elsewhere it does not exist.
    pub fn serves(self, path: &str) -> bool {
        let of_console =
            path == "/console" || path == "/sandbox/operator" || ["/console/", "/operator/"].iter().any(|start| path.starts_with(start));
        // Monitors may use either port, and the console reads the app's settings.
        let of_both = matches!(path, "/healthz" | "/readyz" | "/metrics" | "/api/app/config");
        match self {
            Surface::Both => true,
            Surface::Members => !of_console,
            Surface::Console => of_console || of_both || path == "/",
        }
    }

    /// Where `/` leads.
    pub fn home(self) -> &'static str {
        if self == Surface::Console { "/console/" } else { "/h5/" }
    }
}
