import { t } from '@lingui/core/macro'
import { go } from '../../../ui/route.ts'
import type { Command } from '../../../ui/shell/palette-store.ts'

export const keysCommands: readonly Command[] = [
  {
    id: 'keys/new',
    get title() {
      return t`Create API key`
    },
    also: 'new create key cap expiry',
    run: () => go({ view: 'developer', part: 'new-api-key' }),
  },
  {
    id: 'keys/revoked',
    get title() {
      return t`Show revoked API keys`
    },
    also: 'api keys old',
    run: () => go({ view: 'developer', part: 'revoked-keys' }),
  },
]
