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
import { standingOf } from '../../ui/verdict-standing.ts'
import { useVerdict, verifyNow } from '../../ui/verdict-store.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import { saveProof } from './privacy-store.ts'
import { Registers } from './registers.tsx'
import { awaitsConsent, ReleaseConsent } from './release-consent.tsx'
import { ReleaseLink } from './release-link.tsx'
import styles from './verdict-panel.module.css'

const rootsWord: Readonly<Record<Verdict['trust'], string>> = {
  get 'built-in'() { return t`the built-in roots of the hardware’s maker and of the release log` },
  get sandbox() { return t`the sandbox’s own roots, which prove nothing about any machine` },
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
      <section className={styles.panel} data-standing={standing} aria-label={t`Verdict`}>
        <div className={styles.sign} aria-hidden>
          {standing === 'verified' && <PrivacyGlyph privacy="sealed" size={36} />}
          {standing === 'refused' && <PrivacyGlyph privacy="refused" size={36} />}
          {(standing === 'none' || standing === 'ended') && <span className={styles.open} />}
        </div>
        <div className={styles.words}>
          <h2 className={styles.headline}>{headline[standing]}</h2>
          <p>{sentence(standing, verdict ?? undefined, service, now)}</p>
        </div>
        <Button kind={standing === 'verified' ? 'quiet' : 'primary'} onClick={() => void verifyNow()} busy={verifying && t`Checking the proof…`}>
          {verdict ? t`Verify again` : t`Verify now`}
        </Button>
      </section>
      {failure && <FailureNote failure={failure} className={styles.failure} />}
      {verdict && <ReleaseConsent verdict={verdict} />}
      {verdict && <Proof verdict={verdict} now={now} />}
    </>
  )
}

const headline = { get verified() { return t`Verified now` }, get refused() { return t`Refused` }, get ended() { return t`Not checked now` }, get none() { return t`Not yet checked` } } as const

function sentence(standing: ReturnType<typeof standingOf>, verdict: Verdict | undefined, service: Status['service'] | undefined, now: number): string {
  switch (standing) {
    case 'verified':
      return provenWords(verdict?.enclaveHost, rootsWord[verdict?.trust ?? 'built-in'])
    case 'refused':
      return `${verdict?.failure ? fromCore(verdict.failure.says) : t`The enclave did not prove what it must prove.`} ${t`Nothing is sent to a private model until a proof succeeds.`}`
    case 'ended':
      return endedWords(verdict ? formatAge(verdict.validUntil, now) : t`a while ago`)
    case 'none':
      return firstWords(service?.enclaveHost)
  }
}

function provenWords(host: string | undefined, roots: string): string {
  return host === undefined ? t`The enclave has proven itself against ${roots}.` : t`${host} has proven itself against ${roots}.`
}

function endedWords(ago: string): string {
  return t`The last proof was good, and ended ${ago}. The next private request asks for a new one by itself.`
}

function firstWords(host: string | undefined): string {
  return host === undefined
    ? t`The first private request asks the enclave for its proof by itself. You can ask now.`
    : t`The first private request asks ${host} for its proof by itself. You can ask now.`
}

function NoPolicy({ service }: { service: Status['service'] }) {
  return (
    <section className={styles.panel} data-standing="refused" aria-label={t`Verdict`}>
      <div className={styles.sign} aria-hidden><PrivacyGlyph privacy="refused" size={36} /></div>
      <div className={styles.words}>
        <h2 className={styles.headline}><Trans>Refused</Trans></h2>
        <p><Trans>No attestation policy says what the enclave of {service.name} must prove, so nothing can be sealed for it and no private model can be used. Choose a service with a policy in Settings.</Trans></p>
      </div>
    </section>
  )
}

function Proof({ verdict, now }: { verdict: Verdict; now: number }) {
  const { release, registers } = verdict
  const saving = useAction(() => saveProof())
  return (
    <section aria-label={t`What was shown`}>
      {!verdict.good && <p className={styles.claims}>{awaitsConsent(verdict) ? t`All of it was proven; your consent is missing.` : t`What the evidence claims. None of it counts as proven.`}</p>}
      <Facts>
        <Fact name={t`Enclave host`}>{verdict.enclaveHost}</Fact>
        <Fact name={t`Judged by`}>{verdict.trust === 'sandbox' ? t`Sandbox roots` : t`Built-in roots`}</Fact>
        {verdict.platform !== undefined && <Fact name={t`Platform`}>{verdict.platform}</Fact>}
        {release && (
          <>
            <Fact name={t`Release`}><Trans>{release.tag} of {release.repository} <ReleaseLink release={release} trust={verdict.trust} /></Trans></Fact>
            <HexFact name={t`Release file, SHA-256`} copies={t`Copy release file, SHA-256`} hex={release.digest} />
            {release.loggedAt !== undefined && <Fact name={t`Logged at`}>{formatDateTime(release.loggedAt)}</Fact>}
          </>
        )}
        {!registers && verdict.measurement !== undefined && <HexFact name={t`Measurement`} copies={t`Copy measurement`} hex={verdict.measurement} />}
        {verdict.hpkePublicKey !== undefined && <HexFact name={t`Encryption key`} copies={t`Copy encryption key`} hex={verdict.hpkePublicKey} />}
        {verdict.tlsKeyFingerprint !== undefined && <HexFact name={t`TLS key, SHA-256`} copies={t`Copy TLS key, SHA-256`} hex={verdict.tlsKeyFingerprint} />}
        {verdict.freshness && <Fact name={t`Freshness`}>{freshnessWords(verdict.freshness)}</Fact>}
        <Fact name={t`Checked`}>{formatDateTime(verdict.verifiedAt)}, {formatAge(verdict.verifiedAt, now)}</Fact>
        {verdict.good && (
          <Fact name={t`Valid until`}>
            {formatDateTime(verdict.validUntil)}
            <span className={styles.left}>{', '}{now < verdict.validUntil ? t`${formatDuration(verdict.validUntil - now)} left` : t`ended`}</span>
          </Fact>
        )}
        <HexFact name={t`Evidence, SHA-256`} copies={t`Copy evidence, SHA-256`} hex={verdict.evidenceDigest} />
      </Facts>
      {registers && <Registers registers={registers} />}
      {verdict.notices?.map(({ code, says }) => <p key={code} className={styles.notice} role="note"><strong><Trans>Note:</Trans></strong> {fromCore(says)} <code>{code}</code></p>)}
      <div className={styles.save}>
        <Button onClick={() => void saving.run()} busy={saving.busy && t`Saving…`}><Trans>Save this proof</Trans></Button>
        <p><Trans>One file with the evidence as it came, to be judged anew by anybody, offline: <code>sotto verify FILE</code>. It holds no message and no key of yours.</Trans></p>
      </div>
      {saving.failure && <FailureNote failure={saving.failure} />}
    </section>
  )
}

function freshnessWords(freshness: NonNullable<Verdict['freshness']>): string {
  if (freshness.kind === 'nonce-bound') return t`Made for this question: it holds a number that Sotto chose at random.`
  const newest = Math.max(freshness.logTime ?? 0, freshness.tlsNotBefore ?? 0)
  return newest === 0
    ? t`Nothing says how old the evidence is.`
    : newest === freshness.logTime
      ? t`At least as new as ${formatDateTime(newest)}, the time of the release’s log entry. It is not bound to this question: the service may show evidence again that it has shown before.`
      : t`At least as new as ${formatDateTime(newest)}, the start of the enclave’s certificate. It is not bound to this question: the service may show evidence again that it has shown before.`
}
