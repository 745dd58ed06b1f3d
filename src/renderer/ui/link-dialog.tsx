import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import styles from './link-dialog.module.css'
import { showLink, useLink } from './link-store.ts'

/** Shows where a link leads before anything is requested from that address. */
export function LinkDialog() {
  const { href, description } = useLink()
  const close = () => showLink(undefined)
  const open = () => {
    if (href !== undefined) window.open(href, '_blank', 'noopener,noreferrer')
    close()
  }
  return (
    <Dialog
      open={href !== undefined}
      onClose={close}
      title={t`Open this address?`}
      says={
        <>
          {i18n._(description)} <Trans>The site will see your IP address and everything in the link.</Trans>
        </>
      }
    >
      {href !== undefined && <Address href={href} />}
      <DialogActions>
        <Button onClick={close}>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="primary" onClick={open}>
          <Trans>Open in browser</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Address({ href }: { href: string }) {
  const { protocol, host } = new URL(href)
  const [before, after] = [href.slice(0, href.indexOf(host)), href.slice(href.indexOf(host) + host.length)]
  return (
    <>
      <div className={styles.address}>
        <code data-testid="link-target">
          {before}
          <strong>{host}</strong>
          {after}
        </code>
        <CopyButton label={t`Copy link`} text={() => href} />
      </div>
      {protocol === 'http:' && (
        <p className={styles.note}>
          <Trans>This connection isn’t encrypted (HTTP).</Trans>
        </p>
      )}
      {host.includes('xn--') && (
        <p className={styles.note}>
          <Trans>This hostname uses characters from another script. It may imitate a name you know.</Trans>
        </p>
      )}
    </>
  )
}
