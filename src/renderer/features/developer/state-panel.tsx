import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Status } from '../../../shared/status.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact, Facts, HexFact } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatDuration } from '../../ui/format/time.ts'
import { PrivacyGlyph } from '../../ui/privacy-mark.tsx'
import { addressOf } from '../../ui/route.ts'
import { Section } from '../../ui/view.tsx'
import { setStatus, useStatus } from '../../ui/status-store.ts'
import { useAction } from '../../ui/use-action.ts'
import { useNow } from '../../ui/use-now.ts'
import { hasAcceptedFloor, verdictState } from '../../ui/verdict-state.ts'
import { useVerdict } from '../../ui/verdict-store.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import styles from './state-panel.module.css'

/** The proxy's address for tools, whether the proxy runs, and whether private models are available now. */
export function ApiAddress({ baseUrl }: { baseUrl: string }) {
  const service = useStatus((state) => state.status?.service)
  return (
    <div className={styles.panel}>
      <div className={styles.address}>
        <div className={styles.value}>
          <span className={styles.name}>
            <Trans>Base URL</Trans>
          </span>
          <code>{baseUrl}</code>
          <CopyButton label={t`Copy base URL`} text={() => baseUrl} />
        </div>
        <Running />
      </div>
      <p>
        <Proof service={service} />
      </p>
    </div>
  )
}

/** In the tabs without the address: a sign that tools can't connect now. */
export function StoppedNotice() {
  const stopped = useStatus(({ status, failure }) => failure !== undefined || status?.proxy.serving === false)
  return stopped ? (
    <div className={styles.panel}>
      <Running />
    </div>
  ) : null
}

function Running() {
  const serving = useStatus(({ status }) => status?.proxy.serving !== false)
  const responds = useStatus((state) => state.failure === undefined)
  return (
    <div className={styles.running}>
      <span className={styles.sign} data-running={responds && serving} aria-hidden />
      {!responds ? t`Sotto isn’t responding` : serving ? t`Running` : t`Stopped. Tools can’t connect.`}
      {responds && <Serve on={!serving} />}
    </div>
  )
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Which computers can call the proxy, and whether others can read that traffic on its way. */
export function remoteAccessText({ baseUrl, reach }: Omit<Status['proxy'], 'serving'>): string {
  const here = LOOPBACK.includes(new URL(baseUrl).hostname)
    ? t`This computer, without TLS. This traffic never leaves the computer.`
    : accessWords(baseUrl)
  return reach ? `${here} ${accessWords(reach.baseUrl)}` : here
}

function accessWords(baseUrl: string): string {
  return new URL(baseUrl).protocol === 'https:'
    ? t`Other computers, with TLS, at ${baseUrl}.`
    : t`Other computers, without TLS, at ${baseUrl}. Anyone on the network path can read keys, prompts, and replies.`
}

/** Which computers can reach the proxy, and which service it calls. */
export function Connection() {
  const status = useStatus((state) => state.status)
  if (!status) return null
  return (
    <Section title={t`Connection`}>
      <Facts>
        <Fact name={t`Accessible from`}>
          {remoteAccessText(status.proxy)}{' '}
          <Trans>
            Requests from web pages that aren’t on the allowed list are rejected, even with a valid key.
          </Trans>
        </Fact>
        {status.proxy.reach?.fingerprint && (
          <HexFact
            name={t`Certificate (SHA-256)`}
            copies={t`Copy certificate (SHA-256)`}
            hex={status.proxy.reach.fingerprint.replaceAll(':', '').toLowerCase()}
          />
        )}
        <Fact name={t`Service`}>{serviceWords(status)}</Fact>
      </Facts>
    </Section>
  )
}

/** Stopping the proxy ends requests in progress. It starts again at the same address. */
function Serve({ on }: { on: boolean }) {
  const serve = useAction(async () => setStatus(await api.localApi.serve({ on })))
  return (
    <>
      {' '}
      <Button
        kind="link"
        onClick={() => void serve.run()}
        busy={serve.busy && (on ? t`Starting…` : t`Stopping…`)}
      >
        {on ? t`Start` : t`Stop`}
      </Button>
      {serve.failure && <FailureNote failure={serve.failure} />}
    </>
  )
}

function serviceWords({ service, account }: Status): string {
  if (service.kind === 'sandbox') return t`Demo mode: simulated models, no real money`
  return account.connected
    ? t`${service.name}, paid from the connected account`
    : t`${service.name}, no account connected`
}

function Proof({ service }: { service: Status['service'] | undefined }) {
  const now = useNow(15_000)
  const verdict = useVerdict((state) => state.verdict)
  const status = verdictState(verdict, now)
  const link = (
    <a href={addressOf({ view: 'privacy' })}>
      <Trans>View verification</Trans>
    </a>
  )
  if (service?.revision === 'A')
    return (
      <Trans>
        <Refused /> This service uses Revision A, which has no private models.
      </Trans>
    )
  if (service?.hasPolicy === false)
    return (
      <Trans>
        <Refused /> This service has no attestation policy, so its enclave can’t be verified.
      </Trans>
    )
  switch (status) {
    case 'verified':
      return (
        <>
          <Trans>
            <span className={styles.word} data-privacy="sealed">
              <PrivacyGlyph privacy="sealed" />
              Verified
            </span>{' '}
            for another {formatDuration((verdict?.validUntil ?? now) - now)}. Requests to private models are
            sealed. {link}
          </Trans>
          {hasAcceptedFloor(verdict) && (
            <>
              {' '}
              <Trans>Accepted floor below AMD-SB-3019.</Trans>
            </>
          )}
        </>
      )
    case 'refused':
      return (
        <>
          <Refused />{' '}
          {verdict?.failure ? fromCore(verdict.failure.says) : t`The enclave failed verification.`} {link}
        </>
      )
    case 'ended':
      return (
        <Trans>
          Verification expired. Sotto verifies the enclave again before the next private request. {link}
        </Trans>
      )
    case 'none':
      return (
        <Trans>Not verified yet. Sotto verifies the enclave before the first private request. {link}</Trans>
      )
  }
}

function Refused() {
  return (
    <span className={styles.word} data-privacy="refused">
      <Trans>
        <PrivacyGlyph privacy="refused" />
        Blocked
      </Trans>
    </span>
  )
}
