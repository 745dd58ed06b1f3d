import { readFileSync } from 'node:fs'
import http from 'node:http'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lingui } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import { normalizePath, type Plugin, type PluginOption } from 'vite'
import { compiledEnglish } from './compiled-english.ts'

/** Below src/renderer: the pages that are built, and what each needs at once. The second one is for a team of replicas. */
const PAGES = {
  'index.html': [],
  // The page imports it dynamically, after a setting that it reads.
  'admin.html': ['admin/admin-page.tsx'],
} as const

export function windowPages(root: string): string[] {
  return Object.keys(PAGES).map((page) => resolve(root, 'src/renderer', page))
}

interface ModuleGraph {
  getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null
}

/**
 * Names the file of each module that the window's first view needs, because eighty small files take twice as long to
 * load. Modules that the other page needs too are in a file of their own, so that it loads nothing else of the window.
 */
export function firstViewFile(root: string): (id: string, graph: ModuleGraph) => string | null {
  let pages: readonly ReadonlySet<string>[] | undefined
  return (id, graph) => {
    pages ??= Object.entries(PAGES).map(([page, more]) =>
      reachedFrom(
        [page, ...more].map((file) => resolve(root, 'src/renderer', file)),
        graph,
      ),
    )
    const [first, ...others] = pages.map((reached) => reached.has(id))
    if (!first) return null
    return others.includes(true) ? 'common' : 'first-view'
  }
}

/** The modules themselves and all that they import statically. */
function reachedFrom(modules: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const reached = new Set(modules)
  for (const id of reached)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported)
  return reached
}

/**
 * The plugins that build the window's source: the macros of sentences, catalogs as modules, JSX. The build
 * and the tests use the same.
 */
export function windowPlugins(root: string): PluginOption[] {
  return [
    languageRuntime(resolve(root, 'src/renderer/ui/language/runtime.tsx')),
    changelog(root),
    entitiesWithoutMarkup,
    ...sentences(root),
    react(),
  ]
}

/** The same for what runs in Node: the desktop's macros expand to a module without a page, and `node:http` is what a start needs of it. */
export function mainPlugins(root: string): PluginOption[] {
  return [languageRuntime(resolve(root, 'src/main/language.ts')), httpModule(root), ...sentences(root)]
}

function sentences(root: string): PluginOption[] {
  return [
    lingui({
      cwd: root,
      failOnCompileError: true,
      macroTransform: { parser: undefined, macro: { descriptorFields: 'message' } },
    }),
    compiledEnglish(),
  ]
}

/** The code that the macros generate imports this name (lingui.config.ts). */
function languageRuntime(module: string): Plugin {
  return {
    name: 'sotto:language-runtime',
    config: () => ({ resolve: { alias: { '#language-runtime': module } } }),
  }
}

/**
 * The Markdown parser's package for character references (&eacute;) has the browser read them as markup, which the page's policy refuses.
 * Its other form, for workers and Node, has a table instead.
 */
const entitiesWithoutMarkup: Plugin = {
  name: 'sotto:entities-without-markup',
  config: () => ({
    resolve: {
      alias: {
        'decode-named-character-reference': fileURLToPath(
          import.meta.resolve('decode-named-character-reference'),
        ),
      },
    },
  }),
}

/**
 * The changelog as a module of the window, so that it shows the version that it came with, on a desktop and
 * in a browser's tab.
 */
function changelog(root: string): Plugin {
  const id = '\0sotto:changelog'
  return {
    name: 'sotto:changelog',
    resolveId: (name) => (name === '#changelog' ? id : null),
    load: (name) =>
      name === id
        ? `export const text = ${JSON.stringify(readFileSync(resolve(root, 'CHANGELOG.md'), 'utf8'))}`
        : null,
  }
}

const HTTP_IMPORT = "from 'node:http'"
const HTTP_NAME = '#node-http'
const HTTP_ID = '\0sotto:node-http'

/**
 * `node:http` without the side effect of importing it as an ES module: Node then reads each of the module's
 * members, three of which (WebSocket and its events) load its own copy of undici. That takes a twelfth of
 * the start time, and isn't needed before the first Request or Headers.
 */
function httpModule(root: string): Plugin {
  const sources = normalizePath(join(root, 'src/'))
  return {
    name: 'sotto:http-module',
    enforce: 'pre',
    // Under a name of its own: one that is Node's never comes to a plugin.
    transform: (code, id) =>
      id.startsWith(sources) && code.includes(HTTP_IMPORT)
        ? { code: code.replaceAll(HTTP_IMPORT, `from '${HTTP_NAME}'`), map: null }
        : null,
    resolveId: (name) => (name === HTTP_NAME ? HTTP_ID : null),
    load: (id) =>
      id === HTTP_ID
        ? `export const { ${plainMembers().join(', ')} } = process.getBuiltinModule('node:http')`
        : null,
  }
}

/** Members that aren't created on access. */
function plainMembers(): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(http))
    .filter(([name, member]) => name !== 'default' && 'value' in member)
    .map(([name]) => name)
}
