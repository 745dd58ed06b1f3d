import type { Model } from '../shared/model.ts'
import { nearMatches } from '../shared/near-match.ts'
import { canCallTools, contextOf, listedFacts } from '../shared/tools/facts.ts'
import { runnableTools, type RunnableTool } from '../shared/tools/runnable.ts'
import { toolKeyName } from '../shared/tools/tool-key.ts'
import { withCommandClient, failure } from './with-client.ts'
import { confirmHere } from './confirm-here.ts'
import { CommandFailure, failureOf } from './client.ts'
import { isInstalled, runTool } from './run-tool.ts'
import { terminalSafe } from './format.ts'

export interface RunOptions {
  readonly model?: string
  readonly anyModel: boolean
  /** For the tool. */
  readonly args: readonly string[]
}

const UNUSABLE = 2
/** The exit code that shells report for an unknown command. */
const NOT_FOUND = 127

/**
 * `sotto run`: starts a tool that is configured for this proxy, with a local key of its own. If no Sotto
 * runs, this process serves the tool until it ends.
 * @returns the exit code of the tool, or of a failure before it started
 */
export async function run(command: string, { model: wanted, anyModel, args }: RunOptions): Promise<number> {
  const tool = runnableTools.find((each) => each.command === command)
  if (!tool) return exitWith(UNUSABLE, `Unknown agent: ${terminalSafe(command)}`)
  // Before the key: the question for one with more permissions would be in vain.
  if (!isInstalled(command))
    return exitWith(NOT_FOUND, `${tool.name} isn’t installed. To install it: ${tool.install}`)
  return withCommandClient(false, async (client) => {
    if (!(await client.app.status()).proxy.serving)
      return exitWith(1, 'The local API is off. Turn it on in Sotto, on the Developer screen.')
    const models = await client.models.list()
    const model = choose(models, wanted, tool)
    if (typeof model === 'string') return exitWith(UNUSABLE, model)
    if (!model.private && !anyModel)
      return exitWith(
        UNUSABLE,
        `${terminalSafe(model.id)} isn’t private. Choose a private model, or allow others with --any-model.`,
      )
    const { key, secret, baseUrl } = await confirmHere(client, (signal) =>
      client.localApi.forTool({ tool: tool.id, anyModel }, { signal }),
    ).catch((thrown: unknown) => {
      throw failureOf(thrown)?.code === 'local-key/name-taken'
        ? new CommandFailure(nameTaken(toolKeyName(tool.id, anyModel)))
        : thrown
    })
    process.stderr.write(
      `${tool.name} uses ${terminalSafe(model.id)} with the local key “${terminalSafe(key.name)}”.\n`,
    )
    if (!isLongEnough(model, tool))
      process.stderr.write(
        `Long sessions may fail: ${tool.name} needs a context of ${String(tool.leastContext)} tokens, and this model has ${String(contextOf(listedFacts(model)))}.\n`,
      )
    return runTool(
      command,
      (place) => tool.run({ ...listedFacts(model), baseUrl, key: secret, model: model.id }, place),
      args,
      tool.needlessLines?.(args),
    )
  })
}

/** @returns a sentence if there is none */
function choose(models: readonly Model[], wanted: string | undefined, tool: RunnableTool): Model | string {
  if (wanted === undefined) {
    const usable = models.filter((model) => model.private && canCallTools(model))
    return (
      usable.find((model) => isLongEnough(model, tool)) ??
      usable[0] ??
      'No listed private model can call tools. Choose a model with --model.'
    )
  }
  const near = nearMatches(
    wanted,
    models.map(({ id }) => id),
  ).map(terminalSafe)
  return (
    models.find(({ id }) => id === wanted) ??
    `The service doesn’t list ${terminalSafe(wanted)}.${near.length > 0 ? ` Similar: ${near.join(', ')}.` : ''}`
  )
}

function isLongEnough(model: Model, { leastContext = 0 }: RunnableTool): boolean {
  return contextOf(listedFacts(model)) >= leastContext
}

/** The vault lost its secret, or the key has expired. */
function nameTaken(name: string): ReturnType<typeof failure> {
  return {
    ...failure('local-key/name-taken'),
    says: `Sotto can’t use the local key “${name}” anymore.`,
    remedy: `Revoke it with: sotto keys revoke "${name}"`,
  }
}

function exitWith(code: number, sentence: string): number {
  process.stderr.write(`${sentence}\n`)
  return code
}
