import { useState } from 'react'
import type { Verdict } from '../../../shared/verdict.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { acceptOlderRelease } from '../../ui/verdict-store.ts'
import styles from './older-release.module.css'

/** Where the only thing wrong is that the release is older than one accepted before: a way to consent, asked twice. */
export function OlderRelease({ verdict }: { verdict: Verdict }) {
  const [open, setOpen] = useState(false)
  const { failure, release } = verdict
  if (!failure || !release || failure.code !== 'release/older') return null
  return (
    <div className={styles.older}>
      <p>An older release may have faults that the newer one repaired. If the service has announced that it went back, you can accept it.</p>
      <Button onClick={() => setOpen(true)}>Accept release {release.tag}…</Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        alert
        title={`Accept the older release ${release.tag}?`}
        says="Whoever can make the service run an old release can use its known faults. Sotto asks you to confirm this outside the window."
      >
        <DialogActions>
          <Button onClick={() => setOpen(false)} autoFocus>Do not accept</Button>
          <Button kind="primary" onClick={() => { setOpen(false); void acceptOlderRelease(release.digest) }}>Accept it</Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}
