import { useEffect, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { asFailure } from '../../ui/failure.ts'
import { Hidden } from '../../ui/hidden.tsx'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { Room, Section } from '../../ui/room.tsx'
import { useStatus } from '../../ui/status-store.ts'
import styles from './local-api-room.module.css'
import { maskKey } from './snippets.ts'
import { Snippets } from './snippet-tabs.tsx'

interface LocalApi {
  readonly baseUrl: string
  readonly key: string
  readonly exampleModel: string
}

/** How other programs on this machine use Sotto. */
export function LocalApiRoom() {
  const baseUrl = useStatus((state) => state.status?.proxy.baseUrl)
  const profileId = useStatus((state) => state.status?.service.profileId)
  const [localApi, setLocalApi] = useState<LocalApi>()
  const [failure, setFailure] = useState<Failure>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let wanted = true
    api.localApi.get().then(
      (answer) => { if (wanted) { setLocalApi(answer); setFailure(undefined) } },
      (thrown: unknown) => { if (wanted) setFailure(asFailure(thrown)) },
    )
    return () => { wanted = false }
  }, [baseUrl, profileId, attempt])
  return (
    <Room title="Local API" says="Any program on this machine that speaks the OpenAI interface can use Sotto: give it this address and this key. Private models are sealed for it as they are for this window.">
      {failure && <FailureNote failure={failure} className={styles.failure}><Button onClick={() => setAttempt(attempt + 1)}>Try again</Button></FailureNote>}
      {!localApi && !failure && <p className={styles.opening} role="status">Asking for the address…</p>}
      {localApi && <Address localApi={localApi} />}
      <Answers />
    </Room>
  )
}

function Address({ localApi }: { localApi: LocalApi }) {
  const { baseUrl, key, exampleModel } = localApi
  const [shown, setShown] = useState(false)
  return (
    <>
      <div className={styles.address}>
        <Facts>
          <Fact name="Base address">
            <span className={styles.value}><code>{baseUrl}</code><CopyButton label="Copy base address" text={() => baseUrl} /></span>
          </Fact>
          <Fact name="Key">
            <span className={styles.value}>
              <code data-testid="local-key">{shown ? key : maskKey(key)}</code>
              <span className={styles.buttons}>
                <Button kind="plain" onClick={() => setShown(!shown)}>{shown ? 'Hide' : 'Show'}<Hidden> the key</Hidden></Button>
                <CopyButton label="Copy key" text={() => key} />
              </span>
            </span>
          </Fact>
          <Fact name="Reached from">This machine alone. Web pages are refused, whatever key they carry.</Fact>
          <Fact name="If the port is taken">Sotto takes another one, and says so at the top of this window. The address here is always the one in use.</Fact>
        </Facts>
      </div>
      <Section title="Ready to run" says="The key is masked here and whole in what is copied.">
        <Snippets shown={{ baseUrl, model: exampleModel, key: shown ? key : maskKey(key) }} copied={{ baseUrl, model: exampleModel, key }} />
      </Section>
      <Section title="Is it up?" says="Answers without a key whether Sotto runs; with the key, also which enclave is proven and until when.">
        <span className={styles.value}>
          <code>{healthOf(baseUrl)}</code>
          <CopyButton label="Copy health command" text={() => `curl -H 'Authorization: Bearer ${key}' ${healthOf(baseUrl)}`} />
        </span>
      </Section>
    </>
  )
}

function healthOf(baseUrl: string): string {
  return new URL('/health', baseUrl).href
}

/** How a program learns what became of its request. */
function Answers() {
  return (
    <Section title="What an answer says of its privacy" says="Every answer carries these headers. With curl, -i shows them.">
      <Facts>
        <Fact name="X-Sotto-Privacy">
          <ul className={styles.words}>
            <li><PrivacyMark privacy="sealed" /> <code>sealed</code> Only the proven enclave could read the request.</li>
            <li><PrivacyMark privacy="forwarded" /> <code>forwarded</code> The service could read it.</li>
            <li><PrivacyMark privacy="refused" /> <code>refused</code> It was not sent; the error says why.</li>
          </ul>
        </Fact>
        <Fact name="X-Sotto-Receipt">The receipt of this request, which the Privacy room lists.</Fact>
        <Fact name="X-Sotto-Service"><code>sandbox</code>, where the sandbox answered. Absent otherwise.</Fact>
      </Facts>
      <p className={styles.note}>A model whose name begins with <code>private/</code> is sealed or refused, never forwarded. It is served for chat completions; plugins, such as web search, are refused with it.</p>
    </Section>
  )
}
