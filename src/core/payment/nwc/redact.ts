const connection = /nostr\+?walletconnect:[^\s"'<>`]*/gi
const secret = /(secret(?:=|%3d|["']?\s*[:=]\s*["']?))[0-9a-f]{64}/gi

/** The text without wallet connections and their secrets: for what is written to a log or shown by a failure. */
export function redactConnections(text: string): string {
  return text.replaceAll(connection, 'nostr+walletconnect:[redacted]').replaceAll(secret, '$1[redacted]')
}
