import type { Proof } from '../../../shared/proof.ts'
import { saveText } from '../../ui/save-file.ts'

/** Saves a proof in the form in which it is read again. The file's name holds nothing of `host` that a path could. */
export function saveProofFile(proof: Proof, host: string): void {
  saveText(
    `sotto-proof-${host.replace(/[^a-z0-9.-]/gi, '')}-${proof.savedAt.replace(/[:.]/g, '-')}.json`,
    'application/json',
    `${JSON.stringify(proof, null, 2)}\n`,
  )
}
