import { z } from 'zod'
import { decryptBody, scryptSchema, sealBody, sealedBodySchema, sealingId, undamaged } from './sealed-body.ts'
import { masterFromPassphrase, newId, opens, SCRYPT, vaultKey } from './vault-key.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'

/**
 * A text to carry elsewhere, that a passphrase opens: one JSON object, sealed as the vault's own file of kind `file` is.
 * `format` says what it holds; it is sealed with it, so that one thing is never opened as another.
 */
const textSchema = sealedBodySchema.extend({
  header: z.strictObject({
    format: z.string().max(40),
    kind: z.literal('passphrase'),
    id: sealingId,
    scrypt: scryptSchema,
  }),
})

/** The plaintext is overwritten. */
export async function sealUnderPassphrase(
  format: string,
  passphrase: string,
  plaintext: Uint8Array,
): Promise<string> {
  const header = { format, kind: 'passphrase', id: newId(), scrypt: SCRYPT } as const
  const key = vaultKey(await masterFromPassphrase(passphrase, header), header)
  const text = JSON.stringify({ header, ...sealBody(header, key, plaintext) })
  key.sealing.fill(0)
  return text
}

/** `damaged` where it is no text of that format, or not as it was sealed: known before a passphrase is tried, unless somebody took trouble. */
export async function decryptWithPassphrase(
  format: string,
  passphrase: string,
  text: string,
): Promise<Uint8Array | 'damaged' | 'wrong-passphrase'> {
  const parsed = textSchema.safeParse(tryParseJson(text))
  if (!parsed.success || parsed.data.header.format !== format) return 'damaged'
  const { header, ...body } = parsed.data
  if (!undamaged(header, body)) return 'damaged'
  const key = vaultKey(await masterFromPassphrase(passphrase, header), header)
  const plaintext = opens(key, body.check)
    ? (decryptBody(header, body, key) ?? 'damaged')
    : 'wrong-passphrase'
  key.sealing.fill(0)
  return plaintext
}
