import { Argument, Command } from 'commander'
import { runnableTools } from '../shared/tools/runnable.ts'
import { addExamples } from './help.ts'
import type { RunOptions } from './run.ts'

/** `sotto run`: starts another program's agent with Sotto as its service. */
export function runCommand(): Command {
  const command = new Command('run')
    .summary('Start a coding agent that uses Sotto')
    .description(
      'Start a coding agent with a local key, a model and its limits set. Your own configuration of the agent doesn’t change. Write arguments for the agent after --.',
    )
    .addArgument(
      new Argument('<tool>', 'Agent to start').choices(runnableTools.map(({ command: name }) => name)),
    )
    .argument('[arguments...]', 'Arguments for the agent, after --')
    .option('-m, --model <id>', 'Model ID from the price list (default: a private model that can call tools)')
    .option('--any-model', 'Use a local key that also allows models that aren’t private', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  1    The agent wasn’t started\n  2    The model isn’t listed or isn’t private\n  127  The agent isn’t installed\nOtherwise the exit code of the agent.',
    )
    .action(async (tool: string, args: string[], options: Omit<RunOptions, 'args'>) => {
      const { run } = await import('./run.ts')
      process.exitCode = await run(tool, { ...options, args })
    })
  return addExamples(
    command,
    'sotto run claude',
    'sotto run codex --model private/example -- exec "Fix the failing test"',
  )
}
