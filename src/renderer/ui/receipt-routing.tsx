import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Routing } from '../../shared/routing.ts'
import { classNames } from './class-names.ts'
import { Fact, Facts } from './facts.tsx'
import notes from './note.module.css'
import styles from './receipt-routing.module.css'

const stateWords: Readonly<Record<Routing['state'], string>> = {
  get verified() {
    return t`Verified: signed with the enclave’s TLS key, for this request.`
  },
  get unsigned() {
    return t`Not verified: this is only the service’s claim. No signature could be checked.`
  },
  get missing() {
    return t`Unknown: the enclave sent no routing receipt.`
  },
  get refused() {
    return t`Unknown: Sotto rejected the routing receipt.`
  },
}

const refusalWords: Readonly<Record<NonNullable<Routing['refusal']>, string>> = {
  get malformed() {
    return t`Its format is invalid.`
  },
  get version() {
    return t`This version of Sotto doesn’t know its format.`
  },
  get repeated() {
    return t`There was more than one.`
  },
  get 'after-data'() {
    return t`It came after the reply had started.`
  },
  get algorithm() {
    return t`Its signature algorithm doesn’t match the key.`
  },
  get signature() {
    return t`Its signature is invalid.`
  },
  get key() {
    return t`It names a different key from the attested one.`
  },
  get request() {
    return t`It belongs to a different request.`
  },
  get time() {
    return t`Its time is more than 10 minutes off.`
  },
  get model() {
    return t`It names a different model from the requested one.`
  },
}

const warningWords: Readonly<Record<NonNullable<Routing['warnings']>[number], string>> = {
  get 'model-differs'() {
    return t`The provider was asked for a different model, or its reply names one.`
  },
  get 'upstream-unexpected'() {
    return t`This host isn’t known to belong to the model’s provider.`
  },
  get 'upstream-chooses'() {
    return t`This host passes requests to another provider, which isn’t named. That provider can read them too.`
  },
}

/** To which provider the service's enclave sent a request, how certain that is, and what is unusual about it. */
export function ReceiptRouting({ routing }: { routing: Routing }) {
  const { state, refusal, warnings = [], provider, upstream, upstreamModel, servedModel } = routing
  return (
    <section className={styles.routing} aria-label={t`Destination`}>
      <h3>
        <Trans>Destination</Trans>
      </h3>
      <Facts>
        <Fact name={t`Routing receipt`}>
          {stateWords[state]}
          {refusal !== undefined && <> {refusalWords[refusal]}</>}
        </Fact>
        {provider !== undefined && <Fact name={t`Provider`}>{provider}</Fact>}
        {upstream !== undefined && (
          <Fact name={t`Host`}>
            <code>{upstream}</code>
          </Fact>
        )}
        {upstreamModel !== undefined && (
          <Fact name={t`Model requested there`}>
            <code>{upstreamModel}</code>
          </Fact>
        )}
        {servedModel !== undefined && (
          <Fact name={t`Model that replied`}>
            <Trans>
              <code>{servedModel}</code> (the provider’s claim)
            </Trans>
          </Fact>
        )}
      </Facts>
      {warnings.map((warning) => (
        <p key={warning} className={classNames(notes.note, styles.warning)} role="note">
          <strong>
            <Trans>Note:</Trans>
          </strong>{' '}
          {warningWords[warning]}
        </p>
      ))}
    </section>
  )
}
