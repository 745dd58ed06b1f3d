import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { ServiceScope, useScope } from '../../data/service-scope.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { View } from '../../ui/view.tsx'
import { ViewTabs } from '../../ui/view-tabs.tsx'
import { useRoute } from '../../ui/route.ts'
import { refreshVerdict } from '../../ui/verdict-store.ts'
import { Answers } from './answers.tsx'
import { Keys } from './keys/keys.tsx'
import styles from './local-api-view.module.css'
import { follow, useLocalAccess } from './local-api-store.ts'
import { RequestList } from './requests/request-list.tsx'
import { StatePanel } from './state-panel.tsx'
import { ToolList } from './tool-pages/tool-list.tsx'
import { ToolPage } from './tool-pages/tool-page.tsx'
import { findTool } from './tools/index.ts'

const tabs = [
  {
    id: 'keys',
    get name() {
      return t`Keys`
    },
    Tab: Keys,
  },
  {
    id: 'tools',
    get name() {
      return t`Tools`
    },
    Tab: Tools,
  },
  {
    id: 'requests',
    get name() {
      return t`Requests`
    },
    Tab: RequestList,
  },
] as const

/** How other programs use Sotto: the address, a key for each of them, and what they did. */
export function LocalApiView() {
  return (
    <View
      title={t`Local API`}
      description={t`Any program on this computer that supports the OpenAI, Anthropic or Ollama API can use Sotto. Give it this address and its own local key. Requests to private models are sealed, just as in this window.`}
    >
      <ServiceScope>
        <LocalApi />
      </ServiceScope>
    </View>
  )
}

function LocalApi() {
  const scope = useScope()
  const { part } = useRoute()
  const { data, failure, refresh } = useLocalAccess(true)
  useEffect(() => {
    const left = new AbortController()
    void refreshVerdict()
    void follow(scope, left.signal)
    return () => left.abort()
  }, [scope])
  const tool = findTool(part)
  const tab = tool ? 'tools' : (tabs.find(({ id }) => id === part)?.id ?? 'keys')
  return (
    <>
      {failure && (
        <FailureNote failure={failure} className={styles.failure}>
          <Button onClick={refresh}>
            <Trans>Try again</Trans>
          </Button>
        </FailureNote>
      )}
      {!data && !failure && (
        <p className={styles.opening} role="status">
          <Trans>Loading address…</Trans>
        </p>
      )}
      {data && <StatePanel baseUrl={data.access.baseUrl} brief={tab !== 'keys'} />}
      <ViewTabs room="local-api" label={t`Local API sections`} tabs={tabs} under={tool && 'tools'} />
    </>
  )
}

function Tools() {
  const { part } = useRoute()
  const tool = findTool(part)
  return (
    <>
      {tool ? <ToolPage key={tool.id} tool={tool} /> : <ToolList />}
      <Answers />
    </>
  )
}
