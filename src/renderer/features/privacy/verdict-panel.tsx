import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Status } from '../../../shared/status.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Fact, Facts, HexFact } from '../../ui/facts.tsx'
import { formatAge, formatDateTime, formatDuration } from '../../ui/format/time.ts'
import { PrivacyGlyph } from '../../ui/privacy-mark.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useStatus } from '../../ui/status-store.ts'
import { useNow } from '../../ui/use-now.ts'
import { hasAcceptedFloor, standingOf } from '../../ui/verdict-standing.ts'
import { useVerdict, verifyNow } from '../../ui/verdict-store.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import { saveProof } from './privacy-store.ts'
import { Registers } from './registers.tsx'
import { awaitsConsent, ReleaseConsent } from './release-consent.tsx'
import { ReleaseLink } from './release-link.tsx'
import { serviceName } from '../../ui/service/service-name.ts'
import styles from './verdict-panel.module.css'

const rootsWord: Readonly<Record<Verdict['trust'], string>> = {
  get 'built-in'() { return t`the built-in roots of the hardware vendor and the release log` },
  get sandbox() { return t`the demo roots, which prove nothing about real hardware` },
}

/** One headline, then what it rests on. */
export function VerdictPanel() {
  const { verdict, verifying, failure } = useVerdict()
  const service = useStatus((state) => state.status?.service)
  const now = useNow(1000)
  const standing = standingOf(verdict, now)
  if (service?.hasPolicy === false) return <NoPolicy service={service} />
  return (
    <>
      <section className={styles.panel} data-standing={standing} aria-label={t`Verification`}>
        <div className={styles.sign} aria-hidden>
          {standing === 'verified' && <PrivacyGlyph privacy="sealed" size={36} />}
          {standing === 'refused' && <PrivacyGlyph privacy="refused" size={36} />}
          {(standing === 'none' || standing === 'ended') && <span className={styles.open} />}
        </div>
        <div className={styles.words}>
          <h2 className={styles.headline}>{headline[standing]}</h2>
          <p>{sentence(standing, verdict ?? undefined, service, now)}</p>
          {hasAcceptedFloor(verdict) && <p className={styles.weaker}><Trans>Accepted floor below AMD-SB-3019.</Trans></p>}
        </div>
        <Button kind={standing === 'verified' ? 'quiet' : 'primary'} onClick={() => void verifyNow()} busy={verifying && t`Verifying…`}>
          {verdict ? t`Verify again` : t`Verify now`}
        </Button>
      </section>
      {failure && <FailureNote failure={failure} className={styles.failure} />}
      {verdict && <ReleaseConsent verdict={verdict} />}
      {verdict && <Proof verdict={verdict} now={now} />}
    </>
  )
}

const headline = { get verified() { return t`Verified` }, get refused() { return t`Blocked` }, get ended() { return t`Verification expired` }, get none() { return t`Not verified yet` } } as const

function sentence(standing: ReturnType<typeof standingOf>, verdict: Verdict | undefined, service: Status['service'] | undefined, now: number): string {
  switch (standing) {
    case 'verified':
      return provenWords(verdict?.enclaveHost, rootsWord[verdict?.trust ?? 'built-in'])
    case 'refused':
      return `${verdict?.failure ? fromCore(verdict.failure.says) : t`The enclave failed verification.`} ${t`Nothing is sent to private models until verification succeeds.`}`
    case 'ended':
      return endedWords(verdict ? formatAge(verdict.validUntil, now) : t`a while ago`)
    case 'none':
      return firstWords(service?.enclaveHost)
  }
}

function provenWords(host: string | undefined, roots: string): string {
  return host === undefined ? t`The enclave was verified against ${roots}.` : t`${host} was verified against ${roots}.`
}

function endedWords(ago: string): string {
  return t`The last verification passed and expired ${ago}. Sotto verifies the enclave again before the next private request.`
}

function firstWords(host: string | undefined): string {
  return host === undefined
    ? t`Sotto verifies the enclave automatically before the first private request. You can also verify it now.`
    : t`Sotto verifies ${host} automatically before the first private request. You can also verify it now.`
}

function NoPolicy({ service }: { service: Status['service'] }) {
  return (
    <section className={styles.panel} data-standing="refused" aria-label={t`Verification`}>
      <div className={styles.sign} aria-hidden><PrivacyGlyph privacy="refused" size={36} /></div>
      <div className={styles.words}>
        <h2 className={styles.headline}><Trans>Blocked</Trans></h2>
        <p><Trans>There’s no attestation policy for {serviceName(service)}, so Sotto can’t verify its enclave and private models are blocked. Choose a service with a policy in Settings.</Trans></p>
      </div>
    </section>
  )
}

function Proof({ verdict, now }: { verdict: Verdict; now: number }) {
  const { release, registers } = verdict
  const saving = useAction(() => saveProof())
  return (
    <section aria-label={t`Evidence`}>
      {!verdict.good && verdict.platform !== undefined && <p className={styles.claims}>{awaitsConsent(verdict) ? t`Everything was verified. Only your approval is missing.` : t`These values are signed, but verification failed. Don’t rely on them.`}</p>}
      <Facts>
        <Fact name={t`Enclave host`}>{verdict.enclaveHost}</Fact>
        <Fact name={t`Checked against`}>{verdict.trust === 'sandbox' ? t`Demo roots` : t`Built-in roots`}</Fact>
        {verdict.platform !== undefined && <Fact name={t`Platform`}>{verdict.platform}</Fact>}
        {release && (
          <>
            <Fact name={t`Release`}><Trans>{release.tag} from {release.repository} <ReleaseLink release={release} trust={verdict.trust} /></Trans></Fact>
            <HexFact name={t`Release file (SHA-256)`} copies={t`Copy release file (SHA-256)`} hex={release.digest} />
            {release.loggedAt !== undefined && <Fact name={t`Logged`}>{formatDateTime(release.loggedAt)}</Fact>}
          </>
        )}
        {!registers && verdict.measurement !== undefined && <HexFact name={t`Measurement`} copies={t`Copy measurement`} hex={verdict.measurement} />}
        {verdict.hpkePublicKey !== undefined && <HexFact name={t`Encryption key`} copies={t`Copy encryption key`} hex={verdict.hpkePublicKey} />}
        {verdict.tlsKeyFingerprint !== undefined && <HexFact name={t`TLS key (SHA-256)`} copies={t`Copy TLS key (SHA-256)`} hex={verdict.tlsKeyFingerprint} />}
        {verdict.machine && <Fact name={t`Server`}><Trans>On the publisher’s signed list, with the rules <code>{verdict.machine.policy}</code></Trans></Fact>}
        {verdict.freshness && <Fact name={t`Freshness`}>{freshnessWords(verdict.freshness)}</Fact>}
        <Fact name={t`Checked`}>{formatDateTime(verdict.verifiedAt)}, {formatAge(verdict.verifiedAt, now)}</Fact>
        {verdict.good && (
          <Fact name={t`Valid until`}>
            {formatDateTime(verdict.validUntil)}
            <span className={styles.left}>{', '}{now < verdict.validUntil ? t`${formatDuration(verdict.validUntil - now)} left` : t`expired`}</span>
          </Fact>
        )}
        <HexFact name={t`Evidence (SHA-256)`} copies={t`Copy evidence (SHA-256)`} hex={verdict.evidenceDigest} />
      </Facts>
      {registers && <Registers registers={registers} />}
      {verdict.notices?.map(({ code, says }) => <p key={code} className={styles.notice} role="note"><strong><Trans>Note:</Trans></strong> {fromCore(says)} <code>{code}</code></p>)}
      <div className={styles.save}>
        <Button onClick={() => void saving.run()} busy={saving.busy && t`Saving…`}><Trans>Save evidence</Trans></Button>
        <p><Trans>One file with the original evidence. Anyone can verify it offline with <code>sotto verify FILE</code>. It contains none of your messages or keys.</Trans></p>
      </div>
      {saving.failure && <FailureNote failure={saving.failure} />}
    </section>
  )
}

function freshnessWords(freshness: NonNullable<Verdict['freshness']>): string {
  if (freshness.kind === 'nonce-bound') return t`Created for this request: it contains a random nonce from Sotto.`
  if (freshness.kind === 'signed-at') return t`Signed by the hardware at ${formatDateTime(freshness.signedTime)}. It isn’t bound to this request, so the service may be replaying earlier evidence.`
  return t`At least as new as ${formatDateTime(freshness.logTime)}, the time of the release’s log entry. It isn’t bound to this request, so the service may be replaying earlier evidence.`
}
