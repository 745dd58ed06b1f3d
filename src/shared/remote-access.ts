/** One address beyond loopback at which the local proxy answers. */
export interface RemoteAddress {
  /** An address of this machine, or `0.0.0.0` or `::` for all that it has. */
  readonly host: string
  readonly port: number
  /**
   * A certificate and its key from the user (PEM); Sotto's own; or none, only in the container image, if
   * another container or the host terminates TLS.
   */
  readonly tls: { readonly certificate: string; readonly key: string } | 'own' | 'none-in-container'
}

/** An address that is open: for the terminal, and for the window's notices. */
export interface RemoteAccess {
  readonly baseUrl: string
  /** SHA-256 of the certificate; null if there is none. */
  readonly fingerprint: string | null
}
