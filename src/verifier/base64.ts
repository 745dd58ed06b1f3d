/** Decodes standard base64 in its one canonical form (RFC 4648 sections 3.3 to 3.5); undefined for any other text. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
