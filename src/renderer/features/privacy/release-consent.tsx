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

const words = {
  'release/older': {
    get says() { return t`An older release may have faults that the newer one repaired. If the service has announced that it went back, you can accept it.` },
    act: (name: string) => t`Accept ${name}…`,
    title: (name: string) => t`Accept the older ${name}?`,
    get warns() { return t`Whoever can make the service run an old release can use its known faults. Sotto asks you to confirm this outside the window.` },
    get refuse() { return t`Do not accept` },
    get yes() { return t`Accept it` },
  },
  'release/not-yet-trusted': {
    get says() { return t`You asked to be asked before a new release is trusted. Nothing is sent until you do.` },
    act: (name: string) => t`Trust ${name}…`,
    title: (name: string) => t`Trust ${name}?`,
    get warns() { return t`Everything else about it was proven. Read what the release changes before you trust it; Sotto asks you to confirm this outside the window.` },
    get refuse() { return t`Not yet` },
    get yes() { return t`Trust it` },
  },
} as const

/** Whether consent is all that is missing. */
export function awaitsConsent(verdict: Verdict): boolean {
  return wordsFor(verdict) !== undefined
}

function wordsFor(verdict: Verdict) {
  const code = verdict.failure?.code
  return code === 'release/older' || code === 'release/not-yet-trusted' ? words[code] : undefined
}

/** Where the only thing wrong is that nobody here consented to the release: what changed, and a way to consent, asked twice. */
export function ReleaseConsent({ verdict }: { verdict: Verdict }) {
  const [asked, setAsked] = useState<string>()
  const before = usePrivacy(({ history }) => history?.[0])
  const chosen = wordsFor(verdict)
  const release = releaseKey(verdict)
  // What is asked of one release is never answered for another.
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
      <Dialog open={asked === release} onClose={() => setAsked(undefined)} alert title={chosen.title(name)} says={chosen.warns}>
        <DialogActions>
          <Button onClick={() => setAsked(undefined)} autoFocus>{chosen.refuse}</Button>
          <Button kind="primary" onClick={() => { setAsked(undefined); void acceptRelease(release) }}>{chosen.yes}</Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}
