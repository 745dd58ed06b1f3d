import { t } from '@lingui/core/macro'
import { api } from '../../ui/api.ts'
import { announce } from '../../ui/announcer.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { go } from '../../ui/route.ts'
import type { Command } from '../../ui/shell/palette-store.ts'
import { toolIds, toolNames } from './tools/tool-names.ts'

async function copyAddress(): Promise<void> {
  try {
    await copyText((await api.localApi.get()).baseUrl)
    announce(t`Copied`)
  } catch {
    announce(t`Couldn’t copy`)
  }
}

export const localApiCommands: readonly Command[] = [
  {
    id: 'local-api/copy-address',
    get title() {
      return t`Copy local API base URL`
    },
    also: 'url openai proxy',
    run: () => void copyAddress(),
  },
  {
    id: 'local-api/requests',
    get title() {
      return t`View tool requests`
    },
    also: 'requests log spending local api',
    run: () => go({ view: 'developer', part: 'requests' }),
  },
  ...toolIds.map((id) => ({
    id: `local-api/${id}`,
    get title() {
      const name = toolNames[id]
      return t`Settings for ${name}`
    },
    also: 'tool key connect local api',
    run: () => go({ view: 'developer', part: id }),
  })),
]
