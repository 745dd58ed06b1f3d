import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { ToolServerView } from '../../../shared/contract/tools.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { showLink } from '../../ui/link-store.ts'
import { useAction } from '../../ui/use-action.ts'
import { Section } from '../../ui/view.tsx'
import { AddToolServer } from './add-tool-server.tsx'
import styles from './tools-section.module.css'

/** The MCP servers whose tools a chat can use. */
export function ToolsSection() {
  const {
    data: servers,
    failure,
    refresh,
  } = useAnswer({
    key: ['tools.servers'],
    ask: ({ signal }) => api.tools.servers(undefined, { signal }),
  })
  const [isAdding, setAdding] = useState(false)
  return (
    <Section
      title={t`Tool servers`}
      description={t`A tool server speaks the Model Context Protocol (MCP). It’s a program on this computer, or it’s at an address. Turn its tools on in a chat.`}
    >
      {failure && <FailureNote failure={failure} onRetry={refresh} />}
      {servers?.length === 0 && (
        <p className={styles.none}>
          <Trans>No tool servers yet.</Trans>
        </p>
      )}
      <ul className={styles.servers}>
        {servers?.map((server) => (
          <Server key={server.id} server={server} onChanged={refresh} />
        ))}
      </ul>
      <Button onClick={() => setAdding(true)}>
        <Trans>Add tool server…</Trans>
      </Button>
      {isAdding && <AddToolServer onClose={() => setAdding(false)} onAdded={refresh} />}
    </Section>
  )
}

function Server({ server, onChanged }: { server: ToolServerView; onChanged: () => void }) {
  const { id: serverId, name } = server
  const changing = useAction(async (change: 'startServer' | 'acceptServer' | 'removeServer') => {
    await api.tools[change]({ serverId })
    onChanged()
  })
  const left = useRef<AbortController>(null)
  useEffect(() => () => left.current?.abort(), [])
  const signingIn = useAction(async () => {
    left.current = new AbortController()
    for await (const event of await api.tools.signIn({ serverId }, { signal: left.current.signal }))
      if (event.type === 'open')
        showLink(event.address, msg`This page signs you in to the tool server ${name}.`)
    onChanged()
  })
  const isChanged = server.failure === 'tools/program-changed' || server.changedTools.length > 0
  return (
    <li className={styles.server}>
      <div className={styles.about}>
        <h3>{name}</h3>
        <code className={styles.command}>{server.address ?? [server.command, ...server.args].join(' ')}</code>
        <p>
          {stateWord(server)}. {networkWord(server)}
        </p>
        {isChanged && (
          <p role="note">
            <Trans>
              Its program or tools changed since you accepted them. Accept the change only if you updated it.
            </Trans>
          </p>
        )}
        {changing.failure && <FailureNote failure={changing.failure} />}
        {signingIn.failure && <FailureNote failure={signingIn.failure} />}
      </div>
      <div className={styles.actions}>
        {server.failure === 'tools/sign-in-required' ? (
          <Button busy={signingIn.busy && t`Waiting for the sign-in…`} onClick={() => void signingIn.run()}>
            <Trans>Sign in</Trans>
          </Button>
        ) : isChanged ? (
          <Button waits={changing.busy} onClick={() => void changing.run('acceptServer')}>
            <Trans>Accept change</Trans>
          </Button>
        ) : (
          server.state !== 'running' && (
            <Button waits={changing.busy} onClick={() => void changing.run('startServer')}>
              <Trans>Start</Trans>
            </Button>
          )
        )}
        <Button kind="ghost" waits={changing.busy} onClick={() => void changing.run('removeServer')}>
          <Trans>Remove</Trans>
        </Button>
      </div>
    </li>
  )
}

/** Where the server can send what its tools get. */
function networkWord({ address, networkOff }: ToolServerView): string {
  if (address !== undefined) return t`What its tools get leaves this computer.`
  return networkOff ? t`It has no network access.` : t`It can use the network.`
}

function stateWord({ state, failure, tools }: ToolServerView): string {
  if (failure === 'tools/sign-in-required') return t`Not signed in`
  switch (state) {
    case 'running':
      return plural(tools.length, { one: 'Running, # tool', other: 'Running, # tools' })
    case 'stopped':
      return t`Stopped`
    case 'failed':
      return t`Couldn’t start`
  }
}
