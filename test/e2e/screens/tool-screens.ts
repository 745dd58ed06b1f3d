import { expect } from '@playwright/test'
import type { ToolServerView } from '../../../src/shared/contract/tools.ts'
import type { ScreenGroup } from './screen.ts'

const server: ToolServerView = {
  id: 'server-1',
  name: 'files',
  command: '/usr/bin/node',
  args: ['/opt/mcp/server-filesystem/dist/index.js', '/home/me/Documents'],
  network: false,
  readOnly: true,
  programDigest: 'a'.repeat(64),
  variables: [],
  networkOff: true,
  state: 'running',
  tools: [
    { name: 'read_file', description: 'Reads a file' },
    { name: 'list_directory', description: 'Lists a folder' },
  ],
  changedTools: [],
  skippedTools: 0,
}

/** Tool servers in Settings. */
export const toolScreens: ScreenGroup = {
  name: 'Tool servers',
  place: '#/settings',
  set: ({ state }) => {
    state.tools.servers = [
      server,
      {
        ...server,
        id: 'server-2',
        name: 'mail',
        networkOff: false,
        network: true,
        state: 'failed',
        failure: 'tools/program-changed',
        tools: [],
      },
    ]
  },
  shown: (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible(),
  screens: [
    {
      name: 'two tool servers, one of them changed',
      act: (page) => expect(page.getByRole('button', { name: 'Accept change' })).toBeVisible(),
    },
    {
      name: 'a tool server to add, with faults',
      act: async (page) => {
        await page.getByRole('button', { name: 'Add tool server…' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Add server' }).click()
        await expect(page.getByText('Enter a program.')).toBeVisible()
      },
    },
  ],
}
