import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Verdict } from '../../../shared/verdict.ts'
import { showLink } from '../../ui/link-store.ts'
import styles from './release-link.module.css'

/**
 * A link to the public page of the release. The address is shown before it opens. Releases of the sandbox have no page.
 */
export function ReleaseLink({
  release: { repository, tag },
  trust,
}: {
  release: NonNullable<Verdict['release']>
  trust: Verdict['trust']
}) {
  if (trust === 'sandbox')
    return (
      <span className={styles.none}>
        <Trans>Demo releases aren’t published anywhere.</Trans>
      </span>
    )
  const address = releaseAddress(repository, tag)
  return (
    <button
      type="button"
      className={styles.link}
      onClick={() => showLink(address, msg`This is the release page on the site that hosts the source code.`)}
    >
      {address.replace('https://', '')}
    </button>
  )
}

/** @param repository on GitHub, `owner/name`, as in the policy */
function releaseAddress(repository: string, tag: string): string {
  return `https://github.com/${repository}/releases/tag/${encodeURIComponent(tag)}`
}
