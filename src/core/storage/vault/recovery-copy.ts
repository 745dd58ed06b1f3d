import { SottoError } from '../../../shared/errors.ts'
import { decryptWithPassphrase, sealUnderPassphrase } from './passphrase-text.ts'
import { readSecrets, secretsText, type Secrets } from './vault-file.ts'

const FORMAT = 'sotto-recovery/1'

/**
 * Seals all secrets of a vault as one text under a passphrase, for when the keychain or the vault's own
 * passphrase is lost.
 */
export function sealRecoveryCopy(secrets: Secrets, passphrase: string): Promise<string> {
  return sealUnderPassphrase(FORMAT, passphrase, secretsText(secrets))
}

/**
 * Reads the secrets of a recovery copy. Throws `vault/recovery-invalid` if the text isn't one or was
 * changed, and `vault/recovery-passphrase` if the passphrase is wrong.
 */
export async function readRecoveryCopy(text: string, passphrase: string): Promise<Secrets> {
  const plaintext = await decryptWithPassphrase(FORMAT, passphrase, text)
  if (plaintext === 'wrong-passphrase') throw new SottoError('vault/recovery-passphrase')
  const secrets = plaintext === 'damaged' ? null : readSecrets(plaintext)
  if (!secrets) throw new SottoError('vault/recovery-invalid')
  return secrets
}
