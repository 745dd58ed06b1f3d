import { z } from 'zod'
import { decryptBody, scryptSchema, sealBody, sealedBodySchema, sealingId, undamaged } from './sealed-body.ts'
import { masterFromPassphrase, newId, opens, SCRYPT, vaultKey } from './vault-key.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'

/**
 * An exportable text that a passphrase opens: one JSON object, sealed like the vault's file of kind `file`.
 * `format` names its content and is authenticated, so that one kind of text can't be opened as another.
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

/**
 * Returns `damaged` if the text doesn't have that format or was changed. The digest shows this before a
 * passphrase is tried, unless an attacker recalculated it.
 */
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
