import { go } from '../../ui/route.ts'
import type { Command } from '../../ui/shell/palette-store.ts'
import { verifyNow } from '../../ui/verdict-store.ts'

export const privacyCommands: readonly Command[] = [
  { id: 'privacy/verify', title: 'Verify the enclave now', also: 'privacy proof attestation', run: () => { go({ room: 'privacy' }); void verifyNow() } },
]
