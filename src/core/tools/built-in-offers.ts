import { createHash } from 'node:crypto'
import type { Fetch } from '../../shared/fetch.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { BuiltInTool, ToolStep } from '../../shared/tool-call.ts'
import {
  digestOfFunction,
  hostOfFetch,
  runSimpleTool,
  simpleTools,
  type SimpleTool,
  type ToolFunction,
} from './built-in.ts'
import { imageFunction, offerImage, runImage, type ImageMaker } from './make-image.ts'
import { projectFunctions, runProjectFunction, type ProjectFiles } from './project-files.ts'
import type { ToolResult } from './tool-result.ts'
import { queryOf, runWebSearch, webSearchFunction, type WebSearch } from './web-search.ts'

/** SHA-256 of nothing: a built-in tool has no program of its own. */
const NO_PROGRAM = createHash('sha256').digest('hex')

/** What decides which tools an answer gets. */
export interface ToolScope {
  /** Offers no tool that can send anything over the network, for a private-only project. */
  readonly localOnly: boolean
  readonly projectId: string | undefined
  /** Nothing of the chat may be saved, so it gets no tool that saves something. */
  readonly temporary: boolean
  /** The project has a budget, in which jobs of Studio don't count, so it gets no tool that starts one. */
  readonly hasBudget: boolean
  /** Only a private model reads the results. */
  readonly isPrivate: boolean
  /** The local key whose requests get the tools; absent for a chat. */
  readonly localKeyId?: string
}

/** What the built-in tools use of Sotto. */
export interface BuiltInPorts {
  readonly fetch: Fetch
  readonly now: () => number
  readonly projectFiles: ProjectFiles
  /** Absent without a service. */
  readonly webSearch?: WebSearch | undefined
  readonly images?: ImageMaker | undefined
}

/** A function that a model may call. */
export interface Offered {
  readonly definition: JsonObject
  readonly tool: NonNullable<ToolStep['tool']>
  readonly pure: boolean
  readonly run: (args: JsonObject, signal: AbortSignal, step: ToolStep) => Promise<ToolResult>
  /** Adds facts of this call to the tool; undefined refuses the call before the person is asked. */
  readonly describe?: (args: JsonObject) => ToolStep['tool'] | Promise<ToolStep['tool']>
}

/** The functions of a built-in tool, by the names that a model calls; empty if this answer doesn't get it. */
export function offersOf(name: BuiltInTool, scope: ToolScope, ports: BuiltInPorts): [string, Offered][] {
  switch (name) {
    case 'project-files':
      return offerProject(scope, ports.projectFiles)
    case 'web-search':
      return ports.webSearch ? [offerSearch(ports.webSearch, scope)] : []
    case 'make-image':
      return ports.images && !scope.temporary && !scope.hasBudget ? [offerImages(ports.images)] : []
    default:
      return [offerSimple(name, ports)]
  }
}

function offerSimple(name: SimpleTool, ports: BuiltInPorts): [string, Offered] {
  const definition = simpleTools[name]
  const pure = name !== 'fetch-url'
  return offerBuiltIn(definition, {
    pure,
    tool: { sourceId: name, name, sendsTo: pure ? 'nowhere' : 'host', mayAlways: false },
    run: (args, signal) => runSimpleTool(name, args, { fetch: ports.fetch, now: ports.now, signal }),
    // The person decides about a host, so there must be one.
    facts: (args) => {
      if (pure) return {}
      const host = hostOfFetch(args)
      return host === undefined ? undefined : { host }
    },
  })
}

/** With a model that isn't private, each call needs a decision: its result can be read outside this computer. */
function offerProject({ projectId, isPrivate }: ToolScope, files: ProjectFiles): [string, Offered][] {
  if (projectId === undefined) return []
  return projectFunctions.map((definition) => {
    const { functionName: name } = definition
    return offerBuiltIn(definition, {
      pure: false,
      tool: { sourceId: 'project-files', name, sendsTo: 'project', mayAlways: isPrivate },
      run: (args) => runProjectFunction(name, args, files, projectId),
    })
  })
}

/** The query is sent unencrypted and costs money, so each call needs a decision. */
function offerSearch(webSearch: WebSearch, { projectId, localKeyId }: ToolScope): [string, Offered] {
  return offerBuiltIn(webSearchFunction, {
    pure: false,
    tool: { sourceId: 'web-search', name: 'web-search', sendsTo: 'service', mayAlways: false },
    run: (args, signal) => runWebSearch(args, webSearch, { signal, projectId, localKeyId }),
    facts: (args) => (queryOf(args) === undefined ? undefined : {}),
  })
}

/** The prompt is sent unencrypted, and the image costs money, so each call needs a decision with its price. */
function offerImages(images: ImageMaker): [string, Offered] {
  return offerBuiltIn(imageFunction, {
    pure: false,
    tool: { sourceId: 'make-image', name: 'make-image', sendsTo: 'service', mayAlways: false },
    run: (args, signal, { conversationId, tool }) =>
      runImage(args, { images, conversationId, offer: tool?.image, signal }),
    facts: async (args) => {
      const image = await offerImage(args, images)
      return image && { image }
    },
  })
}

type ToolFacts = NonNullable<ToolStep['tool']>

interface BuiltInOffer extends Pick<Offered, 'pure' | 'run'> {
  readonly tool: Pick<ToolFacts, 'sourceId' | 'name' | 'sendsTo' | 'mayAlways'>
  /** Facts of one call; undefined refuses it before the person is asked. */
  readonly facts?: (
    args: JsonObject,
  ) => Pick<ToolFacts, 'host' | 'image'> | undefined | Promise<Pick<ToolFacts, 'host' | 'image'> | undefined>
}

function offerBuiltIn(
  definition: ToolFunction,
  { pure, tool, run, facts = () => ({}) }: BuiltInOffer,
): [string, Offered] {
  const { functionName, description, parameters } = definition
  const whole: Offered['tool'] = {
    kind: 'built-in',
    sourceName: 'Sotto',
    programDigest: NO_PROGRAM,
    definitionDigest: digestOfFunction(definition),
    ...tool,
  }
  return [
    functionName,
    {
      definition: toFunction(functionName, description, parameters),
      pure,
      tool: whole,
      run,
      describe: async (args) => {
        const more = await facts(args)
        return more && { ...whole, ...more }
      },
    },
  ]
}

/** A function in OpenAI's format. */
export function toFunction(name: string, description: string, parameters: JsonObject): JsonObject {
  return { type: 'function', function: { name, description, parameters } }
}
