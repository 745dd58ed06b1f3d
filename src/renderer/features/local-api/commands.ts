import { api } from '../../ui/api.ts'
import { announce } from '../../ui/announcer.tsx'
import type { Command } from '../../ui/shell/palette-store.ts'

async function copyAddress(): Promise<void> {
  try {
    await navigator.clipboard.writeText((await api.localApi.get()).baseUrl)
    announce('Copied')
  } catch {
    announce('Could not copy')
  }
}

export const localApiCommands: readonly Command[] = [
  { id: 'local-api/copy-address', title: 'Copy the local API’s base address', also: 'url openai proxy', run: () => void copyAddress() },
]
