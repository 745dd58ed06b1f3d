import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { TRUSTED_ROOT_STALE_AFTER_DAYS, trustedRootIsStale } from '../../../shared/trusted-root-age.ts'
import { Fact, Facts, HexFact } from '../../ui/facts.tsx'
import { formatDateTime } from '../../ui/format/time.ts'
import notes from '../../ui/note.module.css'
import { Section } from '../../ui/view.tsx'
import { useNow } from '../../ui/use-now.ts'
import { usePrivacy } from './privacy-store.ts'

const HOUR_MS = 3_600_000

/** The trust roots of a verdict by fingerprint, to compare with those that the vendors publish. */
export function TrustRoots() {
  const trust = usePrivacy().data?.trust
  const now = useNow(HOUR_MS)
  if (!trust) return null
  const { sigstorePublished } = trust
  const stale = sigstorePublished !== undefined && trustedRootIsStale(sigstorePublished, now)
  return (
    <Section
      title={t`Trust roots`}
      description={
        trust.name === 'sandbox'
          ? t`Demo mode created these roots for itself. They prove nothing about real hardware.`
          : t`These roots ship with Sotto and are never downloaded. Each one is listed by the SHA-256 of its certificate, or of the whole Sigstore file. Compare them with the values their issuers publish.`
      }
    >
      {stale && (
        <p className={notes.note} role="note">
          <Trans>
            <strong>Out of date:</strong> These Sigstore roots were published over{' '}
            {TRUSTED_ROOT_STALE_AFTER_DAYS} days ago. Update Sotto. Until then, it still trusts logs and
            authorities that have since been replaced.
          </Trans>
        </p>
      )}
      <Facts>
        {trust.roots.map(({ name, sha256 }) => (
          <HexFact key={name} name={name} copies={t`Copy ${name}`} hex={sha256} />
        ))}
        {sigstorePublished !== undefined && (
          <Fact name={t`Sigstore roots published`}>{formatDateTime(sigstorePublished)}</Fact>
        )}
      </Facts>
    </Section>
  )
}
