import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { TRUSTED_ROOT_STALE_AFTER_DAYS, trustedRootIsStale } from '../../../shared/trusted-root-age.ts'
import { Fact, Facts, HexFact } from '../../ui/facts.tsx'
import { formatDateTime } from '../../ui/format/time.ts'
import { Section } from '../../ui/room.tsx'
import { useNow } from '../../ui/use-now.ts'
import { usePrivacy } from './privacy-store.ts'
import styles from './trust-roots.module.css'

const HOUR_MS = 3_600_000

/** Whom a verdict trusts, by fingerprint: to be compared with what the makers publish. */
export function TrustRoots() {
  const trust = usePrivacy((state) => state.trust)
  const now = useNow(HOUR_MS)
  if (!trust) return null
  const { sigstorePublished } = trust
  const stale = sigstorePublished !== undefined && trustedRootIsStale(sigstorePublished, now)
  return (
    <Section
      title={t`Roots of trust`}
      says={trust.name === 'sandbox'
        ? t`The sandbox made these for itself, and they prove nothing about any machine.`
        : t`They ship with Sotto and are never fetched. Each stands here by the SHA-256 of its certificate, or of Sigstore’s file as a whole; compare them with what their makers publish.`}
    >
      {stale && (
        <p className={styles.stale} role="note">
          <Trans><strong>Out of date:</strong> Sigstore’s roots here were published over {TRUSTED_ROOT_STALE_AFTER_DAYS} days ago. Update Sotto: a log or an authority that was replaced since would still be trusted.</Trans>
        </p>
      )}
      <Facts>
        {trust.roots.map(({ name, sha256 }) => <HexFact key={name} name={name} copies={t`Copy ${name}`} hex={sha256} />)}
        {sigstorePublished !== undefined && <Fact name={t`Sigstore’s, published`}>{formatDateTime(sigstorePublished)}</Fact>}
      </Facts>
    </Section>
  )
}
