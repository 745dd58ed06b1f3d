import type { Proof } from '../../../shared/proof.ts'
import { saveText } from '../../ui/save-file.ts'

/**
 * Saves a proof in the form in which Sotto can read it again. `host` can't put path characters into the file's name.
 */
export function saveProofFile(proof: Proof, host: string): void {
  saveText(
    `sotto-proof-${host.replace(/[^a-z0-9.-]/gi, '')}-${proof.savedAt.replace(/[:.]/g, '-')}.json`,
    'application/json',
    `${JSON.stringify(proof, null, 2)}\n`,
  )
}
