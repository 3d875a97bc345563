import Orders from '../features/plans/Orders';
import { planGate } from './planGate';

export default planGate(Orders);
