import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { ServiceScope, useScope } from '../../data/service-scope.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { addressOf, currentRoute, replaceRoute, useRoute } from '../../ui/route.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { View } from '../../ui/view.tsx'
import { ViewTabs } from '../../ui/view-tabs.tsx'
import { refreshVerdict } from '../../ui/verdict-store.ts'
import { Answers } from './answers.tsx'
import styles from './developer-view.module.css'
import { KeysTab } from './keys/keys-tab.tsx'
import { follow, useLocalAccess } from './local-api-store.ts'
import { RequestList } from './requests/request-list.tsx'
import { ApiAddress, Connection, StoppedNotice } from './state-panel.tsx'
import { ToolList } from './tool-pages/tool-list.tsx'
import { ToolPage } from './tool-pages/tool-page.tsx'
import { findTool } from './tools/index.ts'

const tabs = [
  {
    id: 'tools',
    get name() {
      return t`Tools`
    },
    Tab: Tools,
  },
  {
    id: 'keys',
    get name() {
      return t`Keys`
    },
    Tab: Keys,
  },
  {
    id: 'requests',
    get name() {
      return t`Requests`
    },
    Tab: Requests,
  },
] as const

/** Parts of the view that open something in the list of keys. */
const KEY_PARTS: ReadonlySet<string | undefined> = new Set(['new-key', 'new-api-key', 'revoked-keys'])

/** How other programs use Sotto: the settings of each tool, all keys, and what the tools requested. */
export function DeveloperView() {
  return (
    <View title={t`Developer`} wide>
      <ServiceScope>
        <Developer />
      </ServiceScope>
    </View>
  )
}

function Developer() {
  const scope = useScope()
  const route = useRoute()
  useEffect(() => {
    const left = new AbortController()
    void refreshVerdict()
    void follow(scope, left.signal)
    return () => left.abort()
  }, [scope])
  // An address of an earlier version gives way to the present one.
  useEffect(() => {
    const present = currentRoute()
    if (location.hash !== addressOf(present)) replaceRoute(present)
  }, [route])
  const under = KEY_PARTS.has(route.part) ? 'keys' : findTool(route.part) && 'tools'
  return <ViewTabs view="developer" label={t`Developer sections`} tabs={tabs} under={under} />
}

function Tools() {
  const { part } = useRoute()
  const tool = findTool(part)
  return (
    <>
      <Access />
      {tool ? (
        <ToolPage key={tool.id} tool={tool} />
      ) : (
        <>
          <ToolList />
          <Connection />
        </>
      )}
      <Answers />
    </>
  )
}

function Keys() {
  return (
    <>
      <StoppedNotice />
      <KeysTab />
    </>
  )
}

function Requests() {
  return (
    <>
      <StoppedNotice />
      <RequestList />
    </>
  )
}

/** The address, loaded when the tab opens. */
function Access() {
  const { data, failure, refresh } = useLocalAccess(true)
  return (
    <>
      {failure && <FailureNote failure={failure} className={styles.failure} onRetry={refresh} />}
      {!data && !failure && <Skeleton label={t`Loading address…`} />}
      {data && <ApiAddress baseUrl={data.access.baseUrl} />}
    </>
  )
}
