import { SottoError } from '../../../shared/errors.ts'
import { decryptWithPassphrase, sealUnderPassphrase } from './passphrase-text.ts'
import { readSecrets, secretsText, type Secrets } from './vault-file.ts'

const FORMAT = 'sotto-recovery/1'

/** All secrets of a vault as one text that this passphrase opens, for the day on which the keychain or the vault's own passphrase is gone. */
export function sealRecoveryCopy(secrets: Secrets, passphrase: string): Promise<string> {
  return sealUnderPassphrase(FORMAT, passphrase, secretsText(secrets))
}

/** The secrets of such a text. Throws `vault/recovery-invalid` for what is none or was changed, `vault/recovery-passphrase` for another passphrase. */
export async function readRecoveryCopy(text: string, passphrase: string): Promise<Secrets> {
  const plaintext = await decryptWithPassphrase(FORMAT, passphrase, text)
  if (plaintext === 'wrong-passphrase') throw new SottoError('vault/recovery-passphrase')
  const secrets = plaintext === 'damaged' ? null : readSecrets(plaintext)
  if (!secrets) throw new SottoError('vault/recovery-invalid')
  return secrets
}
