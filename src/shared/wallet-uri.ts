/** The schemes of the addresses that wallets take. Nothing else that is said to be for a wallet is opened, or drawn as a QR code. */
const walletSchemes = ['lightning', 'bitcoin', 'litecoin', 'liquidnetwork', 'monero'] as const

/** Whether a wallet is meant by it: a scheme of the list, and nothing that could end a line or a header. */
export function isWalletUri(text: string): boolean {
  const scheme = /^([a-z]+):[\x21-\x7e]{1,4096}$/i.exec(text)?.[1]?.toLowerCase()
  return walletSchemes.some((known) => known === scheme)
}
