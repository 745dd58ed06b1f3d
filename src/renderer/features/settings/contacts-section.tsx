import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { Contact } from '../../../shared/contact.ts'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { asFailure } from '../../ui/failure.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Section } from '../../ui/room.tsx'
import { useService } from '../../ui/status-store.ts'
import { useServiceState } from '../../ui/use-service-state.ts'

const uses: Readonly<Record<Contact['use'], string>> = {
  get 'service'() { return t`The service: what you ask for, the proof of its enclaves, balance, keys and history. What is sealed passes through it unread.` },
  get 'service-audio'() { return t`The service’s other address, for speech and transcription.` },
  get 'wallet-relay'() { return t`A relay of your wallet’s connection: payment requests, encrypted for the wallet. It sees when, and how large they are.` },
  get 'outbound-proxy'() { return t`The proxy that the environment names (HTTPS_PROXY). It sees the names of the hosts here, and no content.` },
  get 'updates'() { return t`Where new versions of Sotto are announced. It is asked without any identifier, and not at all when looking for updates is off.` },
}

/** Every host that Sotto itself connects to, and why. */
export function ContactsSection() {
  const [contacts, setContacts] = useServiceState<readonly Contact[]>()
  const [failure, setFailure] = useState<Failure>()
  const [asked, setAsked] = useState(1)
  const service = useService()
  useEffect(() => {
    let gone = false
    api.diagnostics.contacts().then((found) => {
      if (gone) return
      setContacts(found)
      setFailure(undefined)
    }, (thrown: unknown) => { if (!gone) setFailure(asFailure(thrown)) })
    return () => { gone = true }
  }, [asked, service, setContacts])
  const again = () => {
    setFailure(undefined)
    setAsked(asked + 1)
  }
  return (
    <Section title={t`What Sotto connects to`} says={<Trans>These hosts and no others, as it is set up now. No telemetry, no crash reports, nothing fetched for the window: a link of an answer opens in your browser, after its address was shown.</Trans>}>
      {failure && <FailureNote failure={failure}><Button onClick={again}><Trans>Look again</Trans></Button></FailureNote>}
      {contacts && (
        <Facts>
          {contacts.map(({ host, use, loopback }) => (
            <Fact key={`${use} ${host}`} name={host}>
              <span>{uses[use]}</span>
              {loopback && <span> <Trans>It stands on this machine: nothing leaves it.</Trans></span>}
            </Fact>
          ))}
        </Facts>
      )}
    </Section>
  )
}
