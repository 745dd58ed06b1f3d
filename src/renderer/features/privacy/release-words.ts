import { t } from '@lingui/core/macro'
import type { Verdict } from '../../../shared/verdict.ts'

const labels = {
  'release/older': {
    get says() {
      return `${t`Nothing is sent.`} ${t`An older release may have bugs that the newer one fixed. If the service has announced a rollback, you can approve it.`}`
    },
    isDowngrade: true,
    title: (name: string) => t`Approve a downgrade to ${name}?`,
    get warns() {
      return t`Anyone who can make the service run an old release can exploit its known vulnerabilities. Sotto will ask you to confirm in a system dialog or your terminal.`
    },
  },
  'release/not-yet-trusted': {
    get says() {
      return t`Only your approval of this release is missing. Nothing is sent until you approve it.`
    },
    isDowngrade: false,
    title: (name: string) => t`Approve ${name}?`,
    get warns() {
      return t`Everything else was verified. Review what this release changes before you approve it. Sotto will ask you to confirm in a system dialog or your terminal.`
    },
  },
} as const

/** Undefined unless only the user's consent to the release is missing. */
export function consentWords(verdict: Verdict | null | undefined) {
  const code = verdict?.failure?.code
  return code === 'release/older' || code === 'release/not-yet-trusted' ? labels[code] : undefined
}
