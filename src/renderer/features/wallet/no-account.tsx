import { Trans } from '@lingui/react/macro'
import { Button } from '../../ui/button.tsx'
import { go } from '../../ui/route.ts'
import styles from './no-account.module.css'

/** Why there is nothing to see here, and the way on. */
export function NoAccount({ description }: { description: string }) {
  return (
    <div className={styles.none}>
      <p>{description}</p>
      <div className={styles.ways}>
        <Button kind="primary" onClick={() => go({ view: 'wallet', part: 'accounts' })}>
          <Trans>Choose or create an account</Trans>
        </Button>
        <Button kind="ghost" onClick={() => go({ view: 'wallet', part: 'purchases' })}>
          <Trans>Pay per request</Trans>
        </Button>
      </div>
    </div>
  )
}
