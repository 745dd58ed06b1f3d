import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

/** Builds the page of the peers as the window is built. */
export async function buildPeerPage(to: string): Promise<void> {
  const root = join(import.meta.dirname, 'peer-page')
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    plugins: [react()],
    build: {
      outDir: to,
      emptyOutDir: true,
      minify: true,
      rolldownOptions: { input: join(root, 'index.html') },
    },
  })
}
