import { t } from '@lingui/core/macro'
import { go } from '../../ui/route.ts'
import type { Command } from '../../ui/shell/palette-store.ts'
import { verifyNow } from '../../ui/verdict-store.ts'

export const privacyCommands: readonly Command[] = [
  {
    id: 'privacy/verify',
    get title() {
      return t`Verify enclave now`
    },
    also: 'privacy proof attestation',
    run: () => {
      go({ view: 'privacy' })
      void verifyNow()
    },
  },
]
