import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Contact } from '../../../shared/contact.ts'
import { ServiceScope } from '../../data/service-scope.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Section } from '../../ui/view.tsx'

const uses: Readonly<Record<Contact['use'], string>> = {
  get service() {
    return t`The service: your requests, its enclaves’ evidence, balance, keys, and history. It can’t read what is sealed.`
  },
  get 'service-audio'() {
    return t`The service’s separate address for speech and transcription.`
  },
  get enclave() {
    return t`The enclave’s own server. It’s asked for fresh evidence and sees this computer’s address, but no requests.`
  },
  get 'enclave-direct'() {
    return t`An enclave of the provider. It gets your key, sends its evidence and the model list, and receives your requests, sealed.`
  },
  get 'wallet-relay'() {
    return t`A relay for your wallet connection. It carries payment requests, encrypted for the wallet, and sees their timing and size.`
  },
  get 'tool-server'() {
    return t`A tool server that you added. It gets the arguments of each call that you allow.`
  },
  get 'outbound-proxy'() {
    return t`The proxy set in the environment (HTTPS_PROXY or ALL_PROXY). It sees the host names listed here but no content.`
  },
  get 'service-enclave'() {
    return t`The service’s own enclave, which passes chats on to the model’s provider. It receives what you send, sealed.`
  },
  get 'image-record'() {
    return t`Publishes which versions of its enclave the service runs. Sotto sends it no account data.`
  },
  get 'revocation-lists'() {
    return t`AMD’s key server. Sotto downloads AMD’s list of revoked certificates from it, about every six weeks. It sends no account data and no identifier.`
  },
  get updates() {
    return t`The update server for Sotto. It’s contacted without any identifier, and only if update checks are on.`
  },
}

/** Every host that Sotto itself connects to, and why. */
export function ContactsSection() {
  return (
    <Section
      title={t`Network connections`}
      description={
        <Trans>
          With your current settings, Sotto connects only to these hosts. It sends no telemetry or crash
          reports, and the window loads nothing from the internet. Links in replies open in your browser after
          Sotto shows you the address.
        </Trans>
      }
    >
      <ServiceScope>
        <Contacts />
      </ServiceScope>
    </Section>
  )
}

function Contacts() {
  const {
    data: contacts,
    failure,
    refresh,
  } = useAnswer<readonly Contact[]>({
    key: ['contacts'],
    ask: (context) => api.diagnostics.contacts(undefined, context),
  })
  return (
    <>
      {failure && <FailureNote failure={failure} onRetry={refresh} />}
      {contacts && (
        <Facts>
          {contacts.map(({ host, use, loopback }) => (
            <Fact key={`${use} ${host}`} name={host}>
              <span>{uses[use]}</span>
              {loopback && (
                <span>
                  {' '}
                  <Trans>It runs on this computer, so nothing leaves it.</Trans>
                </span>
              )}
            </Fact>
          ))}
        </Facts>
      )}
    </>
  )
}
