import './home.css';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import IconUpload from '@tabler/icons-react/icons/IconUpload';
import { Link } from '@tanstack/react-router';
import { ClusterStrip } from './cluster-strip';
import { FirstHint } from './first-hint';
import { RecentJobs } from './recent-jobs';
import { RecentModels } from './recent-models';
import { TemplateCards } from './template-cards';

export default function HomePage() {
  return (
    <div className="page">
      <div className="page-title">
        <h1>Home</h1>
        <div className="row">
          <Link className="btn desk-only" to="/datasets">
            <IconUpload size={14} stroke={1.75} />
            Import data
          </Link>
          <Link className="btn" to="/models" search={{ new: '1' }}>
            <IconPlus size={14} stroke={1.75} />
            New model
          </Link>
        </div>
      </div>
      <FirstHint />
      <TemplateCards />
      <div className="home-columns">
        <RecentJobs />
        <RecentModels />
      </div>
      <ClusterStrip />
    </div>
  );
}
