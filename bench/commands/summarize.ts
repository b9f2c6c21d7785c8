// `deltaproof summarize`: journals to ratios and medians, as table, CSV, JSON or Markdown.

import type { Argv } from 'yargs';
import { usageError } from '../../harness/record/errors.js';
import {
  chosenMetrics,
  isMetricName,
  METRIC_NAMES,
  METRICS,
  type MetricChoice,
} from '../../harness/record/metrics.js';
import type { ExitCode } from '../../harness/record/verdict.js';
import { renderCsv } from '../../summarize/csv.js';
import { renderJson } from '../../summarize/json.js';
import { renderMarkdown } from '../../summarize/markdown.js';
import { checkReportFiles, writeReportFile } from '../../summarize/report-file.js';
import { summarizeJournals } from '../../summarize/summarize-journals.js';
import type { Summary } from '../../summarize/summary-shape.js';
import { renderTable } from '../../summarize/table.js';
import type { Arguments, Command, Streams } from './command.js';
import { OptionValues } from './option-values.js';

export const summarizeCommand: Command = {
  usage: 'summarize <journal..>',
  describe: 'Ratios and medians of full and delta, per cell and cadence',
  options: declareOptions,
  run: async (args, streams) => summarize(args, streams),
};

const READS =
  '  state_..._ms, history_<limit>_..._ms, process_..._ms (production): cold, warm_p50, warm_p95, cold_saver, warm_saver';

/** Reads of production are named by what was read, so those are told by their names alone. */
function byDefault(bench: 'channels' | 'production'): string {
  return chosenMetrics('headline', bench, ['state_cold_ms', 'state_warm_p50_ms']).join(', ');
}

function declareOptions(yargs: Argv): Argv {
  return yargs
    .positional('journal', {
      type: 'string',
      demandOption: true,
      describe: 'Journals of runs (JSONL); pairs are made within each and pooled over all',
    })
    .option('metrics', {
      type: 'string',
      requiresArg: true,
      describe: `Metrics to show, separated by commas, or all; by default ${byDefault('channels')}; of production ${byDefault('production')}`,
    })
    .option('csv', {
      type: 'string',
      requiresArg: true,
      describe: 'Also write CSV to this file, or with - to stdout in place of the table',
    })
    .option('markdown', {
      type: 'string',
      requiresArg: true,
      describe: 'Also write Markdown to this file, or with - to stdout in place of the table',
    })
    .option('json', {
      type: 'boolean',
      describe: 'Print one JSON document to stdout in place of the table',
    })
    .option('pool', {
      type: 'boolean',
      describe: 'Pool rows although they differ in machine, versions, revision or schema version',
    })
    .option('skip-bad-lines', {
      type: 'boolean',
      describe: 'Leave malformed lines out, with a warning each, instead of stopping at the first',
    })
    .epilogue(
      `Metrics:\n${METRIC_NAMES.map((name) => `  ${name}: ${METRICS[name].label}`).join('\n')}\n${READS}`,
    )
    .example('$0 summarize run.jsonl', 'Print the headline metrics of a run')
    .example('$0 summarize run.jsonl --metrics all --csv run.csv', 'Write every metric to a CSV file as well')
    .example('$0 summarize monday.jsonl tuesday.jsonl --json', 'Pool two runs of one machine and code')
    .example('$0 summarize laptop.jsonl server.jsonl --pool', 'Pool runs although their machines differ')
    .example('$0 summarize run.jsonl --markdown -', 'Print Markdown, for example for a pull request');
}

function summarize(args: Arguments, { stdout, stderr }: Streams): ExitCode {
  const values = new OptionValues(args);
  const paths = [args['journal']].flat().map(String);
  const metrics = readMetrics(values);
  const outputs = readOutputs(values);
  checkReportFiles(outputs.files, paths);
  const { summary, warnings, exitCode } = summarizeJournals(paths, {
    pool: values.flag('pool'),
    skipBadLines: values.flag('skip-bad-lines'),
    metrics,
  });
  for (const warning of [...values.warnings, ...warnings]) stderr.write(`warning: ${warning}\n`);
  // The answer first: a report file that cannot be written does not take it away.
  stdout.write(outputs.render(summary));
  for (const file of outputs.files) writeReportFile(file, file.render(summary));
  return exitCode;
}

function readMetrics(values: OptionValues): MetricChoice {
  const asked = values.optionalText('metrics');
  if (asked === null) return 'headline';
  // Reads of production are named by what was read.
  const reads = asked
    .split(',')
    .map((name) => name.trim())
    .filter(isMetricName);
  const names = values.names('metrics', ['all', ...METRIC_NAMES, ...reads]);
  return names.includes('all') ? 'all' : names.filter((name) => name !== 'all');
}

type Render = (summary: Summary) => string;

interface Outputs {
  /** What goes to stdout. */
  readonly render: Render;
  readonly files: readonly { readonly option: string; readonly path: string; readonly render: Render }[];
}

/** Which report goes where. Only one document may go to stdout. */
function readOutputs(values: OptionValues): Outputs {
  const named = [
    { option: '--csv', path: values.optionalText('csv'), render: renderCsv },
    { option: '--markdown', path: values.optionalText('markdown'), render: renderMarkdown },
  ];
  const files = named.flatMap(({ path, ...rest }) =>
    path === null || path === '-' ? [] : [{ path, ...rest }],
  );
  const toStdout = named
    .filter(({ path }) => path === '-')
    .map(({ option, render }) => ({ option: `${option} -`, render }));
  if (values.flag('json')) toStdout.push({ option: '--json', render: renderJson });
  if (toStdout.length > 1) {
    const options = toStdout.map(({ option }) => option).join(' and ');
    throw usageError(`${options} both take stdout; give one of them a file.`);
  }
  return { render: toStdout[0]?.render ?? renderTable, files };
}
