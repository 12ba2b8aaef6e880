import './datasets.css';
import { useQuery } from '@tanstack/react-query';
import { ErrorState, Loading } from '@/ui/states';
import { useTitle } from '@/ui/title';
import { datasetQuery, summaryQuery } from './api';
import { ChecksCard } from './checks-card';
import { DatasetHead } from './dataset-head';
import { DegreeCard } from './degree-card';
import { FactTiles } from './fact-tiles';
import { FeatureCard } from './feature-card';
import { ImportState } from './import-state';
import { LabelCard } from './label-card';
import { NeighbourhoodCard } from './neighbourhood-card';
import { datasetPage } from './route';
import { SchemaCard } from './schema-card';
import { UsesCard } from './uses-card';

export default function DatasetPage() {
  const { id = '' } = datasetPage.useParams();
  const dataset = useQuery(datasetQuery(id));
  useTitle(dataset.data?.name);
  if (dataset.error) return <ErrorState error={dataset.error} retry={() => void dataset.refetch()} />;
  if (!dataset.data) return <Loading rows={8} label="Opening the dataset" />;
  return (
    <>
      <DatasetHead dataset={dataset.data} />
      <div className="page">
        {dataset.data.state === 'ready' && dataset.data.info ? (
          <Ready dataset={{ ...dataset.data, info: dataset.data.info }} />
        ) : (
          <ImportState dataset={dataset.data} />
        )}
      </div>
    </>
  );
}

type ReadyDataset = Parameters<typeof FactTiles>[0]['dataset'];

function Ready({ dataset }: { dataset: ReadyDataset }) {
  const summary = useQuery(summaryQuery(dataset.id));
  if (summary.error) return <ErrorState error={summary.error} retry={() => void summary.refetch()} />;
  if (!summary.data) return <Loading rows={8} label="Reading the summary" />;
  return (
    <>
      <FactTiles dataset={dataset} summary={summary.data} />
      {dataset.info.heterogeneous && <SchemaCard dataset={dataset} />}
      <div className="dataset-grid wide">
        <NeighbourhoodCard dataset={dataset} suggested={summary.data.suggested_vertex} />
        <DegreeCard dataset={dataset} summary={summary.data} />
      </div>
      <div className="dataset-grid">
        <div className="stack">
          <LabelCard dataset={dataset} summary={summary.data} />
          <UsesCard id={dataset.id} />
        </div>
        <FeatureCard features={summary.data.features} name={dataset.name} />
        <ChecksCard checks={dataset.checks} notes={dataset.notes} />
      </div>
    </>
  );
}
