export default function HomePage() {
  return (
    <div className="page">
      <div className="page-title">
        <h1>Home</h1>
      </div>
    </div>
  );
}
