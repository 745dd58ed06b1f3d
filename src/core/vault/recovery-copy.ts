import { SottoError } from '../../shared/errors.ts'
import { openUnderPassphrase, sealUnderPassphrase } from './passphrase-text.ts'
import { readSecrets, secretsText, type Secrets } from './vault-file.ts'

const FORMAT = 'sotto-recovery/1'

/** All secrets of a vault as one text, for the day on which the keychain or the passphrase is gone. */
export function sealRecoveryCopy(secrets: Secrets, passphrase: string): Promise<string> {
  return sealUnderPassphrase(FORMAT, passphrase, secretsText(secrets))
}

/** Throws `vault/recovery-invalid`, `vault/recovery-passphrase`. */
export async function openRecoveryCopy(text: string, passphrase: string): Promise<Secrets> {
  const plaintext = await openUnderPassphrase(FORMAT, passphrase, text)
  if (plaintext === 'wrong-passphrase') throw new SottoError('vault/recovery-passphrase')
  const secrets = plaintext === 'damaged' ? null : readSecrets(plaintext)
  if (!secrets) throw new SottoError('vault/recovery-invalid')
  return secrets
}
