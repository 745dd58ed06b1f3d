import { t } from '@lingui/core/macro'
import { go } from '../../ui/route.ts'
import type { Command } from '../../ui/shell/palette-store.ts'

export const walletCommands: readonly Command[] = [
  {
    id: 'wallet/topup',
    get title() {
      return t`Add funds`
    },
    also: 'wallet balance add money pay lightning bitcoin invoice',
    run: () => go({ view: 'wallet', part: 'add' }),
  },
  {
    id: 'wallet/activity',
    get title() {
      return t`Activity`
    },
    also: 'wallet history requests cost usage',
    run: () => go({ view: 'wallet', part: 'activity' }),
  },
  {
    id: 'wallet/accounts',
    get title() {
      return t`Accounts`
    },
    also: 'wallet account switch change new create connect backup restore credentials key',
    run: () => go({ view: 'wallet', part: 'accounts' }),
  },
  {
    id: 'wallet/connection',
    get title() {
      return t`Connect Lightning wallet`
    },
    also: 'wallet nwc nostr limits automatic topup',
    run: () => go({ view: 'wallet', part: 'connection' }),
  },
  {
    id: 'wallet/purchases',
    get title() {
      return t`Pay per request for an image, a video, or data`
    },
    also: 'wallet pay per request 402 l402 without account',
    run: () => go({ view: 'wallet', part: 'purchases' }),
  },
]
