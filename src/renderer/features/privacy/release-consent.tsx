import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { releaseKey } from '../../../shared/release-key.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { acceptRelease } from '../../ui/verdict-store.ts'
import { Changes } from './changes.tsx'
import { usePrivacy } from './privacy-store.ts'
import { ReleaseLink } from './release-link.tsx'
import { consentWords } from './release-words.ts'
import styles from './release-consent.module.css'

/** Shown if only the user's consent to the release is missing: a button that asks twice. */
export function ApproveRelease({ verdict }: { verdict: Verdict }) {
  const [asked, setAsked] = useState<string>()
  const chosen = consentWords(verdict)
  const release = releaseKey(verdict)
  // Consent for one release never applies to another.
  if (asked !== undefined && (!chosen || asked !== release)) setAsked(undefined)
  if (!chosen || release === undefined) return null
  const tag = verdict.release?.tag
  return (
    <>
      <Button kind={chosen.isDowngrade ? 'secondary' : 'primary'} onClick={() => setAsked(release)}>
        {tag === undefined ? t`Approve this image…` : t`Approve release ${tag}…`}
      </Button>
      <Dialog
        open={asked === release}
        onClose={() => setAsked(undefined)}
        alert
        title={chosen.title(tag === undefined ? t`this image` : t`release ${tag}`)}
        says={chosen.warns}
      >
        <DialogActions>
          <Button onClick={() => setAsked(undefined)} autoFocus>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            kind="primary"
            onClick={() => {
              setAsked(undefined)
              void acceptRelease(release)
            }}
          >
            {tag === undefined ? t`Approve image` : t`Approve release`}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}

/** What the release changes, to be reviewed before the consent. */
export function ReleaseChanges({ verdict }: { verdict: Verdict }) {
  const before = usePrivacy().data?.history[0]
  return (
    <div className={styles.consent}>
      {before && <Changes before={before} after={verdict} />}
      {verdict.release && <ReleaseLink release={verdict.release} trust={verdict.trust} />}
    </div>
  )
}
