import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { releaseKey } from '../../../shared/release-key.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { acceptRelease } from '../../ui/verdict-store.ts'
import { Changes } from './changes.tsx'
import { usePrivacy } from './privacy-store.ts'
import { ReleaseLink } from './release-link.tsx'
import styles from './release-consent.module.css'

const labels = {
  'release/older': {
    get says() {
      return t`An older release may have bugs that the newer one fixed. If the service has announced a rollback, you can approve it.`
    },
    act: (name: string) => t`Approve ${name}…`,
    title: (name: string) => t`Approve a downgrade to ${name}?`,
    get warns() {
      return t`Anyone who can make the service run an old release can exploit its known vulnerabilities. Sotto will ask you to confirm in a system dialog or your terminal.`
    },
    get refuse() {
      return t`Cancel`
    },
    get yes() {
      return t`Approve`
    },
  },
  'release/not-yet-trusted': {
    get says() {
      return t`New releases require your approval. Nothing is sent until you approve this one.`
    },
    act: (name: string) => t`Approve ${name}…`,
    title: (name: string) => t`Approve ${name}?`,
    get warns() {
      return t`Everything else was verified. Review what this release changes before you approve it. Sotto will ask you to confirm in a system dialog or your terminal.`
    },
    get refuse() {
      return t`Cancel`
    },
    get yes() {
      return t`Approve`
    },
  },
} as const

/** Whether only the user's consent is missing. */
export function awaitsConsent(verdict: Verdict): boolean {
  return wordsFor(verdict) !== undefined
}

function wordsFor(verdict: Verdict) {
  const code = verdict.failure?.code
  return code === 'release/older' || code === 'release/not-yet-trusted' ? labels[code] : undefined
}

/**
 * Shown if verification fails only because the user hasn't consented to the release: the changes, and a consent that
 * asks twice.
 */
export function ReleaseConsent({ verdict }: { verdict: Verdict }) {
  const [asked, setAsked] = useState<string>()
  const before = usePrivacy().data?.history[0]
  const chosen = wordsFor(verdict)
  const release = releaseKey(verdict)
  // Consent for one release never applies to another.
  if (asked !== undefined && (!chosen || asked !== release)) setAsked(undefined)
  if (!chosen || release === undefined) return null
  const name = verdict.release ? t`release ${verdict.release.tag}` : t`this image`
  return (
    <div className={styles.consent}>
      <p>{chosen.says}</p>
      {before && <Changes before={before} after={verdict} />}
      <div className={styles.actions}>
        <Button onClick={() => setAsked(release)}>{chosen.act(name)}</Button>
        {verdict.release && <ReleaseLink release={verdict.release} trust={verdict.trust} />}
      </div>
      <Dialog
        open={asked === release}
        onClose={() => setAsked(undefined)}
        alert
        title={chosen.title(name)}
        says={chosen.warns}
      >
        <DialogActions>
          <Button onClick={() => setAsked(undefined)} autoFocus>
            {chosen.refuse}
          </Button>
          <Button
            kind="primary"
            onClick={() => {
              setAsked(undefined)
              void acceptRelease(release)
            }}
          >
            {chosen.yes}
          </Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}
